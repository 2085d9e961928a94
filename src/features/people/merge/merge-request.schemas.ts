import * as z from "zod";
import { recordId } from "../../../http/fields.ts";
import { contactAnswer } from "../../contacts/contacts.schemas.ts";

/** Counting stops here, because each message is a row read. */
export const MAX_MESSAGES_COUNTED = 100_000;

export const mergeBody = z.strictObject({
  from: recordId.meta({ description: "Contact to merge into the contact in the path." }),
  preview: z.boolean().optional().meta({ description: "`true`: changes nothing and returns what the merge would do." }),
});

const movedCounts = z.strictObject({
  conversations: z.int(),
  messages: z.int().meta({ description: `Counted up to ${MAX_MESSAGES_COUNTED}; all of them move.` }),
  tags: z.int(),
  fields: z.int(),
});

export const mergeSummary = z.object({
  moved: movedCounts,
  dropped: z.record(z.string(), z.unknown()).meta({
    description:
      "Lost values, by field: those of the other contact, and `labels`, `assignees` and `snoozed_until` (the latest) of " +
      "merged conversations.",
  }),
});

export const mergeAnswer = contactAnswer.extend({ extra: mergeSummary });

export type MergeAnswer = z.infer<typeof mergeAnswer>;
