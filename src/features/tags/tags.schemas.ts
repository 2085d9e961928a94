import * as z from "zod";
import { cursorParam, limitParam, boundedText, timestamp } from "../../http/fields.ts";
import { iso } from "../../shared/iso-times.ts";

/** A tag as it is stored. */
export const tagRecord = z.object({
  id: z.string(),
  name: z.string(),
  color: z.string().meta({ description: "As `#rrggbb`." }),
  created_at: z.number(),
});

export type TagRecord = z.infer<typeof tagRecord>;

const color = z
  .string()
  .trim()
  .regex(/^#[0-9a-f]{6}$/i, "A colour like #2563eb.");

export const createTagBody = z.strictObject({ name: boundedText(60), color: color.optional() });

export const updateTagBody = z.strictObject({ name: boundedText(60), color }).partial();

export const listTagsQuery = z.strictObject({ limit: limitParam(), cursor: cursorParam(z.tuple([z.int()])) });

export const tagView = z
  .strictObject({
    id: z.string(),
    name: z.string(),
    color: z.string().meta({ description: "As `#rrggbb`." }),
    created_at: timestamp,
  })
  .meta({ id: "Tag" });

export const presentTag = ({ id, name, color: shown, created_at }: TagRecord): z.infer<typeof tagView> => ({
  id,
  name,
  color: shown,
  created_at: iso(created_at),
});
