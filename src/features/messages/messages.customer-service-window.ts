// WhatsApp allows free text for 24 hours after a person's last message. Times are in ms since the epoch.
import { DAY_MS } from "../../shared/time/durations.ts";

const CUSTOMER_SERVICE_WINDOW_MS = DAY_MS;

export const customerServiceWindowEnd = (lastInboundAt: number): number => lastInboundAt + CUSTOMER_SERVICE_WINDOW_MS;

export const customerServiceWindowStart = (now: number): number => now - CUSTOMER_SERVICE_WINDOW_MS;
