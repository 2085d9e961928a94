// The customer service window: free text is allowed for 24 hours after a person's last message. Times in ms since the epoch.
import { DAY_MS } from "../../shared/time/durations.ts";

const CUSTOMER_SERVICE_WINDOW_MS = DAY_MS;

export const customerServiceWindowEnd = (lastInboundAt: number): number => lastInboundAt + CUSTOMER_SERVICE_WINDOW_MS;

/** The window is open at `now` for people whose last message is later than the returned time. */
export const customerServiceWindowStart = (now: number): number => now - CUSTOMER_SERVICE_WINDOW_MS;
