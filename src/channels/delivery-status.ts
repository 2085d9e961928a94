import * as z from "zod";

/** Delivery statuses of providers. */
export const deliveryStatus = z.enum(["sent", "delivered", "read", "failed"]);

export type DeliveryStatus = z.infer<typeof deliveryStatus>;
