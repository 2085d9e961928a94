import * as z from "zod";
import { documentedChoices, oneOf, requireOneOf } from "../../http/request/choices.ts";
import { parsePhone } from "../../shared/text/phone.ts";
import { MAX_MESSAGE_CHARACTERS } from "../../shared/text/text.ts";
import {
  idCursorParam,
  EVEN_WITH_OTHER_FAULTS,
  limitParam,
  boundedText,
  timestamp,
  verbatim,
} from "../../http/fields.ts";

const caption = verbatim(1024).optional();
const id = boundedText(256);
const title = boundedText(100);

const webAddress = z
  .url({ protocol: /^https?$/ })
  .max(2000)
  .optional();

const mediaSources = ["media_id", "url"] as const;

const media = z
  .strictObject({
    media_id: boundedText(100).optional().meta({ description: "Id of a stored file. The workspace receives a copy." }),
    url: webAddress,
    mime_type: boundedText(100).optional(),
    caption,
    filename: boundedText(240).optional(),
    voice: z.boolean().optional(),
  })
  .superRefine(requireOneOf(mediaSources))
  .meta(documentedChoices(oneOf(mediaSources)));

export type SimulatedMedia = z.output<typeof media>;

const location = z.strictObject({
  latitude: z.number().min(-90).max(90),
  longitude: z.number().min(-180).max(180),
  name: boundedText(200).optional(),
  address: boundedText(500).optional(),
  url: webAddress,
});

const cardType = boundedText(20).optional();
const cardLine = boundedText(200).optional();
const cardId = boundedText(128).optional();
const entries = <S extends z.ZodRawShape>(shape: S) => z.array(z.strictObject(shape)).max(10).optional();

const contactCard = z.strictObject({
  name: z.strictObject({
    formatted_name: boundedText(200),
    first_name: boundedText(100).optional(),
    last_name: boundedText(100).optional(),
  }),
  phones: z.array(z.strictObject({ phone: boundedText(50), type: cardType, wa_id: cardId, user_id: cardId })).max(10),
  emails: entries({ email: boundedText(254), type: cardType }),
  org: z.strictObject({ company: cardLine, department: cardLine, title: cardLine }).optional(),
  addresses: entries({
    street: cardLine,
    city: cardLine,
    state: cardLine,
    zip: boundedText(20).optional(),
    country: cardLine,
    country_code: boundedText(2).optional(),
    type: cardType,
  }),
  urls: entries({ url: boundedText(2000), type: cardType }),
  birthday: boundedText(40).optional(),
  user_id: cardId,
  origin: boundedText(50).optional(),
});

const order = z.strictObject({
  catalog_id: id.optional(),
  text: verbatim(1024).optional(),
  products: z
    .array(
      z.strictObject({
        product_id: id,
        quantity: z.number().positive(),
        price: z.number().nonnegative().optional(),
        currency: boundedText(10).optional(),
      }),
    )
    .min(1)
    .max(30),
});

const referralText = boundedText(1000).optional();

const contents = {
  text: verbatim(MAX_MESSAGE_CHARACTERS).optional(),
  image: media.optional(),
  video: media.optional(),
  audio: media.optional(),
  document: media.optional(),
  sticker: media.optional(),
  location: location.optional(),
  contacts: z.array(contactCard).min(1).max(20).optional(),
  button_reply: z.strictObject({ id, title }).optional(),
  list_reply: z.strictObject({ id, title, description: boundedText(200).optional() }).optional(),
  form_reply: z
    .strictObject({
      name: boundedText(100).optional(),
      body: boundedText(1000).optional(),
      response: z.record(boundedText(100), z.union([boundedText(1000), z.number(), z.boolean(), z.null()])),
    })
    .optional(),
  order: order.optional(),
  reaction: z
    .strictObject({ message_id: boundedText(100), emoji: z.string().max(100) })
    .optional()
    .meta({ description: "An empty `emoji` removes the reaction." }),
  unsupported: z
    .strictObject({
      kind: boundedText(100),
      provider_code: boundedText(20).optional(),
      title: boundedText(200).optional(),
      reason: boundedText(500).optional(),
    })
    .optional(),
};

const simulatedTypes = [
  "text",
  "image",
  "video",
  "audio",
  "document",
  "sticker",
  "location",
  "contacts",
  "button_reply",
  "list_reply",
  "form_reply",
  "order",
  "reaction",
  "unsupported",
] as const satisfies (keyof typeof contents)[];

export const simulateBody = z
  .strictObject({
    from: boundedText(100)
      .refine((from) => !from.startsWith("+") || parsePhone(from) !== null, {
        message: "A value that starts with + must be a valid phone number, like +14155550100.",
        params: { code: "invalid_phone" },
      })
      .meta({ description: "Phone number, or any other id for a person without a number." }),
    ...contents,
    name: boundedText(200).optional(),
    reply_to: boundedText(100).optional().meta({ description: "Message of the conversation to quote." }),
    forwarded: z.boolean().optional(),
    referral: z
      .strictObject({
        source_type: referralText,
        source_id: referralText,
        source_url: referralText,
        headline: referralText,
        body: referralText,
        media_type: referralText,
        image_url: referralText,
        video_url: referralText,
        thumbnail_url: referralText,
        click_id: referralText,
        catalog_id: referralText,
        product_id: referralText,
      })
      .optional()
      .meta({ description: "Advertisement or product that led the person to write." }),
  })
  .superRefine(requireOneOf(simulatedTypes), EVEN_WITH_OTHER_FAULTS)
  .meta({
    id: "ManageConnectionsSimulateRequest",
    description: "Requires `from` and exactly one content.",
    ...documentedChoices(oneOf(simulatedTypes)),
  });

export type SimulatedMessage = z.output<typeof simulateBody>;

export const outboxQuery = z.strictObject({
  to: boundedText(100).optional().meta({ description: "Only messages to this number or id." }),
  limit: limitParam(),
  cursor: idCursorParam("msg"),
});

export const outboxDeliveryContent = z.object({
  type: z.string(),
  content: z.unknown(),
  reply_to: z.string().optional(),
});

export const outboxDeliveryView = z
  .strictObject({
    message_id: z.string(),
    to: z.string(),
    body: z.string(),
    type: z.string().meta({ description: "Type of the message, or `template` for a template." }),
    content: z.unknown().meta({
      description: "Content as sent, or null for text. For a template, all its parts except the text.",
    }),
    reply_to: z.string().nullable().meta({ description: "Message that this message quotes or reacts to." }),
    attempt: z.int(),
    at: timestamp,
  })
  .meta({ id: "SandboxDelivery" });

export const receiptView = z.strictObject({ from: z.string(), message_id: z.string() }).meta({
  id: "SandboxReceipt",
  description: "Read receipt for all messages of the person `from`, up to `message_id`.",
});
