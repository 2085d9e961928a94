import * as z from "zod";
import { messageErrorCodes } from "../../channels/channel.ts";

const error = z.object({ code: z.enum(messageErrorCodes), message: z.string(), providerCode: z.string().nullable() });

const statusEvent = z.object({
  type: z.literal("status"),
  messageId: z.string(),
  providerMessageId: z.string(),
  status: z.enum(["sent", "delivered", "read", "failed"]),
  at: z.number(),
  error: error.nullable(),
});

const inboundEvent = z.object({
  type: z.literal("message"),
  messageId: z.string().nullable(),
  providerMessageId: z.string(),
  from: z.object({ phone: z.string().nullable(), userId: z.string().nullable(), name: z.string().nullable() }),
  body: z.string(),
  at: z.number(),
});

/** What the events queue carries. Crosses between versions of the Worker: only ever add to it. */
export const eventMessage = z.object({
  v: z.literal(1),
  workspace: z.object({ id: z.string(), number: z.number(), shard: z.number() }),
  connectionId: z.string(),
  event: z.discriminatedUnion("type", [statusEvent, inboundEvent]),
});

export type EventMessage = z.infer<typeof eventMessage>;
