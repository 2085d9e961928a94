// Meta's format: developers.facebook.com/documentation/business-messaging/whatsapp/templates/components,
// …/authentication-templates
import * as z from "zod";
import { documentedChoices, oneOf, requireOneOf } from "../../../http/request/choices.ts";
import { boundedText, recordId, verbatim } from "../../../http/fields.ts";
import { templateButton } from "./template-buttons.schemas.ts";

const exampleText = verbatim(1024);

const namedExamples = z
  .array(z.strictObject({ param_name: boundedText(60), example: exampleText }))
  .min(1)
  .max(100);

const textHeader = z
  .strictObject({
    type: z.literal("HEADER"),
    format: z.literal("TEXT"),
    text: boundedText(60).meta({ description: "At most one variable." }),
    example: z
      .strictObject({
        header_text: z.array(exampleText).length(1).optional(),
        header_text_named_params: namedExamples.optional(),
      })
      .optional(),
  })
  .meta({ id: "TemplateTextHeader" });

const exampleFiles = ["media_id", "header_handle"] as const;

const fileHeader = z
  .strictObject({
    type: z.literal("HEADER"),
    format: z.enum(["IMAGE", "VIDEO", "DOCUMENT"]),
    example: z
      .strictObject(
        {
          media_id: recordId
            .optional()
            .meta({ description: "Id of a stored file. Tidings uploads the file to the provider." }),
          header_handle: z
            .array(boundedText(5000))
            .length(1)
            .optional()
            .meta({ description: "Handle of a file that was uploaded to Meta, instead of `media_id`." }),
        },
        'Must be an example, like {"media_id": "med_…"}. Tidings does not store the example, so send it with each change.',
      )
      .superRefine(requireOneOf(exampleFiles))
      .meta(documentedChoices(oneOf(exampleFiles))),
  })
  .meta({ id: "TemplateFileHeader" });

const locationHeader = z
  .strictObject({ type: z.literal("HEADER"), format: z.literal("LOCATION") })
  .meta({ id: "TemplateLocationHeader" });

const header = z
  .discriminatedUnion(
    "format",
    [textHeader, fileHeader, locationHeader],
    "Must be one of TEXT, IMAGE, VIDEO, DOCUMENT, LOCATION.",
  )
  .meta({ id: "TemplateHeader" });

const bodyComponent = z
  .strictObject({
    type: z.literal("BODY"),
    text: verbatim(1024).optional().meta({ description: "Required, except for category AUTHENTICATION." }),
    example: z
      .strictObject({
        body_text: z.array(z.array(exampleText).min(1).max(100)).length(1).optional(),
        body_text_named_params: namedExamples.optional(),
      })
      .optional()
      .meta({ description: "An example value for each variable." }),
    add_security_recommendation: z.boolean().optional().meta({ description: "Only for category AUTHENTICATION." }),
  })
  .meta({ id: "TemplateBody" });

const footer = z
  .strictObject({
    type: z.literal("FOOTER"),
    text: boundedText(60).optional().meta({ description: "Required, except for category AUTHENTICATION." }),
    code_expiration_minutes: z
      .int()
      .min(1)
      .max(90)
      .optional()
      .meta({ description: "Only for category AUTHENTICATION." }),
  })
  .meta({ id: "TemplateFooter" });

const buttons = z
  .strictObject({ type: z.literal("BUTTONS"), buttons: z.array(templateButton).min(1).max(10) })
  .meta({ id: "TemplateButtons" });

const cardComponent = z
  .discriminatedUnion("type", [header, bodyComponent, buttons], "Must be one of HEADER, BODY, BUTTONS.")
  .meta({ id: "TemplateCardComponent" });

const carousel = z
  .strictObject({
    type: z.literal("CAROUSEL"),
    cards: z
      .array(z.strictObject({ components: z.array(cardComponent).min(1).max(3) }))
      .min(2)
      .max(10)
      .meta({
        description: "All cards have the same parts: an image or video, optionally a text, and up to two buttons.",
      }),
  })
  .meta({ id: "TemplateCarousel" });

const component = z
  .discriminatedUnion(
    "type",
    [header, bodyComponent, footer, buttons, carousel],
    "Must be one of HEADER, BODY, FOOTER, BUTTONS, CAROUSEL.",
  )
  .meta({ id: "TemplateComponent" });

export type SentComponent = z.output<typeof component>;

const NAMES_OF_KINDS: readonly string[] = ["type", "format", "otp_type"];
const LISTS: readonly string[] = ["components", "cards", "buttons"];

/** The depth of a button in a carousel: lists and objects of components, cards, components and buttons. */
const MAX_TYPE_DEPTH = 7;

/** Meta's documentation writes types in upper or lower case. We accept both and convert them to upper case. */
function inUpperCase(value: unknown, depth = 0): unknown {
  if (depth > MAX_TYPE_DEPTH || typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map((each) => inUpperCase(each, depth + 1));
  const entries = Object.entries(value).map(([name, each]: [string, unknown]) => {
    if (NAMES_OF_KINDS.includes(name) && typeof each === "string") return [name, each.toUpperCase()];
    return [name, LISTS.includes(name) ? inUpperCase(each, depth + 1) : each];
  });
  return Object.fromEntries(entries);
}

/**
 * Checks only the shape of each component. `findComponentFaults` then checks the rules that concern several components.
 */
export const templateComponents = z.preprocess((sent) => inUpperCase(sent), z.array(component).min(1).max(5));

export const templateCategory = z
  .enum(["MARKETING", "UTILITY", "AUTHENTICATION"])
  .meta({ id: "TemplateCategory", description: "WhatsApp's category, which also determines the price." });

export const templateLanguage = z
  .string()
  .regex(/^[a-z]{2,3}(_[A-Z]{2,3})?$/, "Must be a language, like en or pt_BR.")
  .meta({ description: "Provider's language code, like `en_US`." });

export const providerTemplateName = z
  .string()
  .regex(/^[a-z0-9_]{1,120}$/, "Must contain only lowercase a–z, digits and underscores, at most 120 characters.");
