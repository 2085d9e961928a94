import * as z from "zod";
import { cursorParam, limitParam, boundedText, timestamp } from "../../http/fields.ts";
import { iso } from "../../shared/time/iso-times.ts";

/** The colors are dark enough for white text. */
export const tagPalette: readonly string[] = [
  "#57534e",
  "#2563eb",
  "#c2410c",
  "#15803d",
  "#9333ea",
  "#be123c",
  "#0e7490",
  "#a16207",
  "#4f46e5",
  "#4d7c0f",
  "#be185d",
  "#0f766e",
];

const colorInput = z
  .string()
  .trim()
  .regex(/^#[0-9a-fA-F]{6}$/, "Must be a color, like #2563eb.");

const tagName = boundedText(60);

export const createTagBody = z.strictObject({ name: tagName, color: colorInput.optional() });

export const updateTagBody = z.strictObject({ name: tagName, color: colorInput }).partial();

/**
 * Accepts a tag's name, and also the tag as it appears in a contact, so that clients can send back what they have read.
 */
const tagReference = z
  .union(
    [tagName, z.strictObject({ id: z.string(), name: tagName, color: z.string() }).partial({ id: true, color: true })],
    {
      error: "Must be a tag name, or a tag as returned in a contact: an object of id, name and color.",
    },
  )
  .transform((sent) => (typeof sent === "string" ? sent : sent.name));

export const sentTags = z
  .array(tagReference)
  .max(50)
  .meta({
    description:
      "All tags of the contact. An unknown name creates a tag, spelled as first sent. The former name of a renamed tag also creates a tag. If-Match does not prevent this, because " +
      "renaming a tag does not change the ETags of contacts.",
  });

export const listTagsQuery = z.strictObject({ limit: limitParam(), cursor: cursorParam(z.tuple([z.int()])) });

export const tagView = z
  .strictObject({
    id: z.string(),
    name: z.string(),
    color: z.string().meta({ description: "Color as `#rrggbb`." }),
    created_at: timestamp,
  })
  .meta({ id: "Tag" });

export const tagRecord = z.object({ ...tagView.shape, created_at: z.number() });

export type TagRecord = z.infer<typeof tagRecord>;

export const presentTag = ({ id, name, color, created_at }: TagRecord): z.infer<typeof tagView> => ({
  id,
  name,
  color,
  created_at: iso(created_at),
});
