import * as z from "zod";

/** How far a provider says that a message of ours has come. */
export const deliveryStatus = z.enum(["sent", "delivered", "read", "failed"]);

export type DeliveryStatus = z.infer<typeof deliveryStatus>;
