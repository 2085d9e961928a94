// The customer service window: free text is allowed for 24 hours after a person's last message. Pure. Times in ms since the epoch.
import { DAY_MS } from "../../shared/time/durations.ts";

const CUSTOMER_SERVICE_WINDOW_MS = DAY_MS;

export const customerServiceWindowEnd = (lastInboundAt: number): number => lastInboundAt + CUSTOMER_SERVICE_WINDOW_MS;

/** At `now`, the window is open for people whose last message is later than this. */
export const customerServiceWindowStart = (now: number): number => now - CUSTOMER_SERVICE_WINDOW_MS;
