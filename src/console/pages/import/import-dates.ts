/** The order decides whether 01/02/2026 is the first of February or the second of January. */
export const dateOrders = ["day_first", "month_first"] as const;

export type DateOrder = (typeof dateOrders)[number];

const YEAR_FIRST = /^(\d{4})([-./])(\d{1,2})\2(\d{1,2})(?=$|[T\s])/;
const YEAR_LAST = /^(\d{1,2})([-./])(\d{1,2})\2(\d{4})(?=$|[,T\s])/;
const TIME = /^[,T\s]\s*(\d{1,2}):(\d{2})(?::(\d{2})(?:\.\d+)?)?\s*(am|pm)?\s*(z|[+-]\d{2}:\d{2})?$/i;

const padPart = (part: string) => part.padStart(2, "0");

interface Split {
  date: string | null;
  rest: string;
}

function splitDate(text: string, order: DateOrder | null): Split | null {
  const yearFirst = YEAR_FIRST.exec(text);
  if (yearFirst !== null) {
    const [whole, year = "", , month = "", day = ""] = yearFirst;
    return { date: `${year}-${padPart(month)}-${padPart(day)}`, rest: text.slice(whole.length) };
  }
  const yearLast = YEAR_LAST.exec(text);
  if (yearLast === null) return null;
  const [whole, first = "", , second = "", year = ""] = yearLast;
  const read = order ?? inferOrder(first, second);
  const [day, month] = read === "month_first" ? [second, first] : [first, second];
  const isClear = read !== null || first === second;
  return { date: isClear ? `${year}-${padPart(month)}-${padPart(day)}` : null, rest: text.slice(whole.length) };
}

const inferOrder = (first: string, second: string): DateOrder | null =>
  Number(first) > 12 ? "day_first" : Number(second) > 12 ? "month_first" : null;

/**
 * Converts a date such as `31/12/1990` to `1990-12-31`. Returns an invalid text as it is, so that the schema
 * rejects it.
 */
export function readDate(text: string, order: DateOrder | null): string {
  const split = splitDate(text, order);
  const isMidnight = split !== null && /^(|[T\s]00:00(:00(\.0+)?)?(z|\+00:00)?)$/i.test(split.rest);
  return isMidnight ? (split.date ?? text) : text;
}

/** Reads a time without an offset as UTC, and a date without a time as the start of the day. */
export function readDateTime(text: string, order: DateOrder | null): string {
  const split = splitDate(text, order);
  if (split === null || split.date === null) return text;
  if (split.rest === "") return `${split.date}T00:00:00Z`;
  const time = TIME.exec(split.rest);
  if (time === null) return text;
  const [, hour = "", minute = "", second = "00", half, offset = "Z"] = time;
  const hours = half === undefined ? hour : String((Number(hour) % 12) + (half.toLowerCase() === "pm" ? 12 : 0));
  return `${split.date}T${padPart(hours)}:${minute}:${second}${offset.toUpperCase()}`;
}

export const isAmbiguous = (text: string): boolean => splitDate(text, null)?.date === null;

export interface DateGuess {
  order: DateOrder | null;
  evidence: string | null;
  open: string | null;
}

/**
 * Guesses the order from the dates that are valid in only one order. If a date has dots, the day always comes
 * first.
 */
export function guessDateOrder(cells: readonly string[]): DateGuess {
  const clear = cells.flatMap((cell) => {
    const [, first = "", separator, second = ""] = YEAR_LAST.exec(cell) ?? [];
    if (separator === undefined) return [];
    const order = inferOrder(first, second) ?? (separator === "." ? "day_first" : null);
    return order === null ? [] : [{ cell, order }];
  });
  const dayFirst = clear.filter(({ order }) => order === "day_first");
  const monthFirst = clear.filter(({ order }) => order === "month_first");
  const winners = dayFirst.length > monthFirst.length ? dayFirst : monthFirst;
  const isTie = dayFirst.length === monthFirst.length;
  return {
    order: isTie ? null : (winners[0]?.order ?? null),
    evidence: isTie ? null : (winners[0]?.cell ?? null),
    open: cells.find(isAmbiguous) ?? null,
  };
}
