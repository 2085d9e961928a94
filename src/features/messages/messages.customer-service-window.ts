// The customer service window: free text may go for 24 hours after a person last wrote. Pure. Times in ms since the epoch.
import { DAY_MS } from "../../shared/time/durations.ts";

const CUSTOMER_SERVICE_WINDOW_MS = DAY_MS;

/** The window of a person who last wrote at `lastInboundAt` is open until this time. */
export const customerServiceWindowEnd = (lastInboundAt: number): number => lastInboundAt + CUSTOMER_SERVICE_WINDOW_MS;

/** At `now` the window is open of people who wrote later than this. */
export const customerServiceWindowStart = (now: number): number => now - CUSTOMER_SERVICE_WINDOW_MS;
