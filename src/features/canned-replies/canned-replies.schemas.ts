import * as z from "zod";
import { idCursorParam, limitParam, storedRevision, timestamp, visibleText } from "../../http/fields.ts";
import { parseBody, variablesIn, isBlank } from "../templates/model/render-text.ts";
import { localTemplateBody } from "../templates/templates.schemas.ts";
import { iso } from "../../shared/time/iso-times.ts";

export const cannedReplyRecord = z.object({
  id: z.string(),
  shortcut: z.string(),
  body: z.string(),
  created_at: z.number(),
  updated_at: z.number(),
  revision: storedRevision,
});

export type CannedReplyRecord = z.infer<typeof cannedReplyRecord>;

/**
 * Members must be able to type a shortcut, so it cannot contain these invisible characters. Variation selectors are
 * allowed, because emoji contain them.
 */
const INVISIBLE = /[\p{Cc}\p{Cf}[\p{Default_Ignorable_Code_Point}--\p{Variation_Selector}]]/v;

const shortcut = visibleText(z.string().trim(), 60)
  .regex(/^\/?[^\s/]+$/u, "Must be one word, like opening-hours.")
  .refine((value) => !INVISIBLE.test(value), {
    message: "Must not contain invisible characters, such as zero-width spaces.",
    params: { code: "invalid_characters" },
  })
  .overwrite((value) => value.replace(/^\//, ""))
  .meta({
    description: "One word that members type after a slash. Case does not matter. A leading slash is removed.",
  });

export const createCannedReplyBody = z.strictObject({ shortcut, body: localTemplateBody.shape.body });

export const updateCannedReplyBody = createCannedReplyBody.partial();

export type CannedReplyChange = z.infer<typeof updateCannedReplyBody>;

export const listCannedRepliesQuery = z.strictObject({
  limit: limitParam(),
  cursor: idCursorParam("crp"),
});

export const cannedReplyView = z
  .strictObject({
    id: z.string(),
    shortcut: z.string(),
    body: z.string(),
    variables: z
      .array(z.string())
      .meta({ description: "Names of the variables, in the order in which they occur in the text." }),
    created_at: timestamp,
    updated_at: timestamp,
  })
  .meta({ id: "CannedReply" });

export const presentCannedReply = (record: CannedReplyRecord): z.infer<typeof cannedReplyView> => ({
  id: record.id,
  shortcut: record.shortcut,
  body: record.body,
  variables: variablesIn(parseBody(record.body).pieces),
  created_at: iso(record.created_at),
  updated_at: iso(record.updated_at),
});

/** Keeps the placeholder of a variable without value or fallback, so that the member can replace it. */
export const fillCannedReply = (body: string, values: ReadonlyMap<string, string | null>): string =>
  parseBody(body)
    .pieces.map((piece) => {
      if (typeof piece === "string") return piece;
      const value = values.get(piece.name);
      return isBlank(value) ? (piece.fallback ?? `{{${piece.name}}}`) : (value ?? "");
    })
    .join("");
