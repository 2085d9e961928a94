import * as z from "zod";
import { fromJson } from "../../../shared/text/json.ts";
import { timestamp, verbatim } from "../../../http/fields.ts";
import { MAX_MESSAGE_CHARACTERS } from "../../../shared/text/text.ts";
import { iso } from "../../../shared/time/iso-times.ts";

export const addNoteBody = z.strictObject({
  body: verbatim(MAX_MESSAGE_CHARACTERS).meta({
    description:
      "Text of the note. `@` and a member's name mentions the member. If members share the name, `@Name (email)` mentions only one of them.",
  }),
});

const mentions = z.array(z.object({ id: z.string(), name: z.string().nullable() }));

export const noteRecord = z.object({
  id: z.string(),
  conversation_id: z.string(),
  contact_id: z.string(),
  author_type: z.enum(["member", "api_key"]),
  author_id: z.string(),
  author_name: z.string().nullable(),
  body: z.string(),
  mentions,
  created_at: z.number(),
});

export type NoteRecord = z.infer<typeof noteRecord>;

export const noteRow = noteRecord.extend({ mentions: fromJson(mentions) });

export const noteAuthor = z
  .strictObject({
    type: noteRecord.shape.author_type,
    id: z.string(),
    name: z.string().nullable().meta({ description: "Name of the member. Null if software wrote the note." }),
  })
  .meta({ id: "NoteAuthor" });

export const noteMentions = z
  .array(z.strictObject({ id: z.string(), name: z.string().nullable() }))
  .meta({ description: "Mentioned members." });

export const noteSummary = z
  .strictObject({
    id: z.string(),
    conversation_id: z.string(),
    contact_id: z.string(),
    author: noteAuthor,
    mentions: noteMentions,
    created_at: timestamp,
  })
  .meta({ id: "Note" });

export const presentAuthor = ({ author_type: type, author_id: id, author_name: name }: NoteRecord) => ({
  type,
  id,
  name,
});

export const presentNoteSummary = (record: NoteRecord): z.infer<typeof noteSummary> => ({
  id: record.id,
  conversation_id: record.conversation_id,
  contact_id: record.contact_id,
  author: presentAuthor(record),
  mentions: record.mentions,
  created_at: iso(record.created_at),
});
