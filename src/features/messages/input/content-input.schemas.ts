import * as z from "zod";
import type { OutboundType } from "../../../channels/content.ts";
import { documentedChoices, oneOf, requireOneOf } from "../../../http/request/choices.ts";
import { boundedText, emailAddress, phoneNumber, recordId, verbatim, webUrl } from "../../../http/fields.ts";
import { MAX_MESSAGE_CHARACTERS } from "../../../shared/text/text.ts";
import { filenameField } from "../../media/media.schemas.ts";

const pageUrl = webUrl("https://example.com/menu").meta({ format: "uri" });
const bodyText = verbatim(1024);
const shortText = boundedText(60);
const buttonTitle = boundedText(20);
const buttonId = boundedText(256);

function addRepeatFaults(
  what: "id" | "title",
  values: readonly { value: string; path: PropertyKey[] }[],
  issues: z.core.$RefinementCtx,
): void {
  const seen = new Set<string>();
  for (const { value, path } of values) {
    if (seen.has(value)) {
      const message = `Each ${what} must be unique.`;
      issues.addIssue({ code: "custom", path, message, params: { code: "repeated" } });
    }
    seen.add(value);
  }
}

const mediaSource = {
  media_id: recordId.optional().meta({ description: "Id of a stored file." }),
  url: pageUrl.optional().meta({ description: "Public URL of the file." }),
};

const mediaSources = ["media_id", "url"] as const;

const caption = bodyText.optional().meta({ description: "Text below the file." });

const mediaInput = <T extends z.ZodRawShape>(id: string, more: T) =>
  z
    .strictObject({ ...mediaSource, ...more })
    .superRefine(requireOneOf(mediaSources))
    .meta({ id, description: "A file: `media_id` or `url`.", ...documentedChoices(oneOf(mediaSources)) });

const locationInput = z
  .strictObject({
    latitude: z.number().min(-90).max(90),
    longitude: z.number().min(-180).max(180),
    name: boundedText(200).optional(),
    address: boundedText(500).optional(),
  })
  .meta({ id: "LocationInput" });

const around = { header: shortText.optional(), footer: shortText.optional() };

const buttonsInput = z
  .strictObject({
    type: z.literal("buttons"),
    body: bodyText,
    ...around,
    buttons: z
      .array(z.strictObject({ id: buttonId, title: buttonTitle }))
      .min(1)
      .max(3),
  })
  .superRefine(({ buttons }, issues) => {
    // WhatsApp rejects buttons with equal ids or titles.
    for (const what of ["id", "title"] as const) {
      const values = buttons.map((button, index) => ({ value: button[what], path: ["buttons", index, what] }));
      addRepeatFaults(what, values, issues);
    }
  })
  .meta({ id: "ButtonsInput", description: "Text with up to three buttons that the person can press to reply." });

const MAX_ROWS = 10;

const listInput = z
  .strictObject({
    type: z.literal("list"),
    body: bodyText,
    ...around,
    button: buttonTitle,
    sections: z
      .array(
        z.strictObject({
          title: boundedText(24).optional(),
          rows: z
            .array(
              z.strictObject({ id: boundedText(200), title: boundedText(24), description: boundedText(72).optional() }),
            )
            .min(1)
            .max(MAX_ROWS),
        }),
      )
      .min(1)
      .max(MAX_ROWS),
  })
  .superRefine(({ sections }, issues) => {
    const rows = sections.flatMap(({ rows: each }, section) =>
      each.map(({ id: value }, row) => ({ value, path: ["sections", section, "rows", row, "id"] })),
    );
    if (rows.length > MAX_ROWS) {
      const message = `Must have at most ${MAX_ROWS} rows in all sections together.`;
      issues.addIssue({ code: "custom", path: ["sections"], message, params: { code: "too_big" } });
    }
    addRepeatFaults("id", rows, issues);
    if (sections.length === 1) return;
    for (const [index, { title }] of sections.entries()) {
      if (title !== undefined) continue;
      const message = "This field is required if there are several sections.";
      issues.addIssue({ code: "custom", path: ["sections", index, "title"], message, params: { code: "required" } });
    }
  })
  .meta({ id: "ListInput", description: "Text with a button that opens a list of options." });

const linkInput = z
  .strictObject({ type: z.literal("link"), body: bodyText, ...around, title: buttonTitle, url: pageUrl })
  .meta({ id: "LinkInput", description: "Text with a button that opens a web address." });

const locationRequestInput = z
  .strictObject({ type: z.literal("location_request"), body: bodyText })
  .meta({ id: "LocationRequestInput", description: "Text with a button that requests the person's location." });

const interactiveInput = z
  .discriminatedUnion(
    "type",
    [buttonsInput, listInput, linkInput, locationRequestInput],
    "Must be one of buttons, list, link, location_request.",
  )
  .meta({ id: "InteractiveInput" });

const label = boundedText(20).optional();
const line = boundedText(200).optional();

const cardAddress = z
  .strictObject({
    street: line,
    city: line,
    state: line,
    zip: boundedText(20).optional(),
    country: line,
    country_code: boundedText(2).optional(),
    type: label,
  })
  .refine((sent) => Object.entries(sent).some(([name, value]) => name !== "type" && value !== undefined), {
    message: "Enter at least one address line.",
    params: { code: "required" },
  });

const isDate = (value: string): boolean => {
  const at = /^\d{4}-\d{2}-\d{2}$/.test(value) ? Date.parse(value) : Number.NaN;
  return !Number.isNaN(at) && new Date(at).toISOString().startsWith(value);
};

const contactCardInput = z
  .strictObject({
    name: z.strictObject({
      formatted_name: boundedText(200),
      first_name: boundedText(100).optional(),
      last_name: boundedText(100).optional(),
    }),
    phones: z
      .array(
        z.strictObject({
          phone: phoneNumber({ requirePlus: false }),
          type: label,
          wa_id: z
            .string()
            .regex(/^\d{5,20}$/, "Must be a WhatsApp id of 5 to 20 digits.")
            .optional()
            .meta({
              description:
                "The number's WhatsApp id. With it, the recipient can open a chat with this person from the card.",
            }),
        }),
      )
      .min(1)
      .max(10),
    emails: z
      .array(z.strictObject({ email: emailAddress(), type: label }))
      .min(1)
      .max(10)
      .optional(),
    org: z.strictObject({ company: line, department: line, title: line }).optional(),
    addresses: z.array(cardAddress).min(1).max(10).optional(),
    urls: z
      .array(z.strictObject({ url: pageUrl, type: label }))
      .min(1)
      .max(10)
      .optional(),
    birthday: z
      .string()
      .refine(isDate, { message: "Must be a date, like 1999-01-23.", params: { code: "invalid_format" } })
      .optional()
      .meta({ format: "date" }),
  })
  .meta({ id: "ContactCardInput" });

const graphemes = new Intl.Segmenter();
const PICTURE = /\p{Extended_Pictographic}|\p{Regional_Indicator}|\u20e3/u;

const isEmoji = (text: string): boolean => PICTURE.test(text) && Array.from(graphemes.segment(text)).length === 1;

const reactionInput = z
  .strictObject({
    message_id: recordId,
    emoji: z
      .string()
      .max(100)
      .refine((text) => text === "" || isEmoji(text), {
        message: "Must be one emoji, or an empty string to remove the reaction.",
        params: { code: "invalid_value" },
      })
      .meta({ description: "An empty string removes the reaction." }),
  })
  .meta({ id: "ReactionInput" });

export const contentInputs = {
  text: verbatim(MAX_MESSAGE_CHARACTERS).optional().meta({ description: "Plain text, stored exactly as sent." }),
  image: mediaInput("ImageInput", { caption }).optional(),
  video: mediaInput("VideoInput", { caption }).optional(),
  audio: mediaInput("AudioInput", {
    voice: z.boolean().optional().meta({ description: "True for a voice message." }),
  }).optional(),
  document: mediaInput("DocumentInput", {
    caption,
    filename: filenameField.optional().meta({ description: "File name that the person sees." }),
  }).optional(),
  sticker: mediaInput("StickerInput", {}).optional(),
  location: locationInput.optional(),
  contacts: z.array(contactCardInput).min(1).max(20).optional(),
  interactive: interactiveInput.optional(),
  reaction: reactionInput.optional(),
} satisfies Record<OutboundType, z.ZodType>;
