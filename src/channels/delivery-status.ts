// The status and the price of a message of ours, as providers report them.
import * as z from "zod";

/** Delivery statuses of providers. */
export const deliveryStatus = z.enum(["sent", "delivered", "read", "failed"]);

export type DeliveryStatus = z.infer<typeof deliveryStatus>;

/** The price of a message, in the provider's own words. */
export interface MessagePrice {
  billable: boolean | null;
  category: string | null;
  type: string | null;
}
