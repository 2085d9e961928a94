import * as z from "zod";
import { recordId } from "../../../http/fields.ts";
import { contactAnswer } from "../../contacts/contacts.schemas.ts";

/** Counting stops here, because each message is a row read. */
export const MAX_MESSAGES_COUNTED = 100_000;

export const mergeBody = z.strictObject({
  from: recordId.meta({ description: "The contact that becomes part of the one in the path." }),
  preview: z.boolean().optional().meta({ description: "`true`: changes nothing, and shows what the merge would do." }),
});

const movedCounts = z.strictObject({
  conversations: z.int(),
  messages: z.int().meta({ description: `At most ${MAX_MESSAGES_COUNTED} are counted; all of them move.` }),
  tags: z.int(),
  fields: z.int(),
});

export const mergeSummary = z.object({
  moved: movedCounts,
  dropped: z.record(z.string(), z.unknown()).meta({
    description:
      "Values that are lost, by field: those of the other contact, and `labels`, `assignees` and `snoozed_until` (the latest) of " +
      "conversations that become one.",
  }),
});

export const mergeAnswer = contactAnswer.extend({ extra: mergeSummary });

export type MergeAnswer = z.infer<typeof mergeAnswer>;
