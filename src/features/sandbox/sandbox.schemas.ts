import { MAX_MESSAGE_CHARACTERS } from "../../shared/text.ts";
import * as z from "zod";
import { cursorParam, limitParam, boundedText, timestamp, verbatim } from "../../http/fields.ts";

export const simulateBody = z.strictObject({
  from: boundedText(100).meta({ description: "A phone number, or any other id for somebody without one." }),
  text: verbatim(MAX_MESSAGE_CHARACTERS),
  name: boundedText(200).optional(),
});

export const outboxQuery = z.strictObject({
  to: boundedText(100).optional(),
  limit: limitParam(),
  cursor: cursorParam(z.tuple([z.string()])),
});

export const deliveryView = z
  .strictObject({ message_id: z.string(), to: z.string(), body: z.string(), attempt: z.int(), at: timestamp })
  .meta({ id: "SandboxDelivery" });
