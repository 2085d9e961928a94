export const SECOND_MS = 1000;
export const MINUTE_MS = 60 * SECOND_MS;
export const HOUR_MS = 60 * MINUTE_MS;
/** Always 24 hours, although a day can be shorter or longer when daylight saving time starts or ends. */
export const DAY_MS = 24 * HOUR_MS;
