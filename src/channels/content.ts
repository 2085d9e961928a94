import * as z from "zod";

const contactCard = z
  .object({
    name: z.object({
      formatted_name: z.string(),
      first_name: z.string().optional(),
      last_name: z.string().optional(),
    }),
    phones: z.array(
      z.object({
        phone: z.string(),
        type: z.string().optional(),
        wa_id: z.string().optional().meta({
          description: "The number's WhatsApp id. With it, you can open a chat with this person from the card.",
        }),
        user_id: z.string().optional().meta({ description: "WhatsApp's user id, in received messages." }),
      }),
    ),
    emails: z.array(z.object({ email: z.string(), type: z.string().optional() })).optional(),
    org: z
      .object({ company: z.string().optional(), department: z.string().optional(), title: z.string().optional() })
      .optional(),
    addresses: z
      .array(
        z.object({
          street: z.string().optional(),
          city: z.string().optional(),
          state: z.string().optional(),
          zip: z.string().optional(),
          country: z.string().optional(),
          country_code: z.string().optional(),
          type: z.string().optional(),
        }),
      )
      .optional(),
    urls: z.array(z.object({ url: z.string(), type: z.string().optional() })).optional(),
    birthday: z.string().optional(),
    user_id: z
      .string()
      .optional()
      .meta({ description: "WhatsApp's user id of the person on the card, in received messages." }),
    origin: z.string().optional().meta({
      description:
        "`contact_request` if the person sent the card with a button that requests it. Only in received messages.",
    }),
  })
  .meta({ id: "ContactCard" });

export type ContactCard = z.infer<typeof contactCard>;

const mediaContent = z
  .object({
    media_id: z.string(),
    mime_type: z.string().optional(),
    caption: z.string().optional(),
    filename: z.string().optional(),
    voice: z.boolean().optional(),
  })
  .meta({ id: "MediaContent" });

export type MediaContent = z.infer<typeof mediaContent>;

const location = z
  .object({
    latitude: z.number(),
    longitude: z.number(),
    name: z.string().optional(),
    address: z.string().optional(),
    url: z.string().optional().meta({ description: "Web address of the location, in received messages." }),
  })
  .meta({ id: "LocationContent" });

export type LocationContent = z.infer<typeof location>;

const titled = { body: z.string(), header: z.string().optional(), footer: z.string().optional() };

const interactive = z
  .discriminatedUnion("type", [
    z
      .object({
        type: z.literal("buttons"),
        ...titled,
        buttons: z.array(z.object({ id: z.string(), title: z.string() })),
      })
      .meta({ id: "ButtonsContent" }),
    z
      .object({
        type: z.literal("list"),
        ...titled,
        button: z.string(),
        sections: z.array(
          z.object({
            title: z.string().optional(),
            rows: z.array(z.object({ id: z.string(), title: z.string(), description: z.string().optional() })),
          }),
        ),
      })
      .meta({ id: "ListContent" }),
    z.object({ type: z.literal("link"), ...titled, title: z.string(), url: z.string() }).meta({ id: "LinkContent" }),
    z.object({ type: z.literal("location_request"), body: z.string() }).meta({ id: "LocationRequestContent" }),
  ])
  .meta({ id: "InteractiveContent" });

export type InteractiveContent = z.infer<typeof interactive>;

export const mediaTypes = ["image", "video", "audio", "document", "sticker"] as const;

export type MediaType = (typeof mediaTypes)[number];

export const contentShapes = {
  text: z.object({ preview_url: z.boolean().optional() }),
  image: mediaContent,
  video: mediaContent,
  audio: mediaContent,
  document: mediaContent,
  sticker: mediaContent,
  location,
  contacts: z.array(contactCard),
  interactive,
  /**
   * `message_id` is the Tidings id of the message that the person reacted to. It is missing if Tidings does not have
   * that message.
   */
  reaction: z.object({ message_id: z.string().optional(), emoji: z.string() }).meta({ id: "ReactionContent" }),
  button_reply: z.object({ id: z.string(), title: z.string() }).meta({ id: "ButtonReplyContent" }),
  list_reply: z
    .object({ id: z.string(), title: z.string(), description: z.string().optional() })
    .meta({ id: "ListReplyContent" }),
  form_reply: z
    .object({ name: z.string().optional(), body: z.string().optional(), response: z.unknown() })
    .meta({ id: "FormReplyContent" }),
  order: z
    .object({
      catalog_id: z.string().optional(),
      text: z.string().optional(),
      products: z.array(
        z.object({
          product_id: z.string(),
          quantity: z.number(),
          price: z.number().optional(),
          currency: z.string().optional(),
        }),
      ),
    })
    .meta({ id: "OrderContent" }),
  /**
   * A message whose kind the provider or this version of Tidings does not support. `kind` is the provider's
   * name for this kind.
   */
  unsupported: z
    .object({
      kind: z.string(),
      provider_code: z
        .string()
        .optional()
        .meta({ description: "Provider's code for the reason why the message is unsupported." }),
      title: z.string().optional().meta({ description: "Provider's short text about this reason." }),
      reason: z.string().optional(),
      content: z.unknown().optional(),
    })
    .meta({ id: "UnsupportedContent" }),
} satisfies Record<string, z.ZodType>;

type ContentShapes = typeof contentShapes;

export type ContentType = keyof ContentShapes;

export type ContentOf<T extends ContentType> = z.infer<ContentShapes[T]>;

export const outboundTypes = [
  "text",
  ...mediaTypes,
  "location",
  "contacts",
  "interactive",
  "reaction",
] as const satisfies ContentType[];

export type OutboundType = (typeof outboundTypes)[number];

export type Content<T extends ContentType = ContentType> = { [K in T]: { type: K; content: ContentOf<K> } }[T];

export type OutboundContent = Content<OutboundType>;

const withType = <T extends OutboundType>(type: T) => z.object({ type: z.literal(type), content: contentShapes[type] });

export const outboundContent = z.discriminatedUnion("type", [
  withType("text"),
  withType("image"),
  withType("video"),
  withType("audio"),
  withType("document"),
  withType("sticker"),
  withType("location"),
  withType("contacts"),
  withType("interactive"),
  withType("reaction"),
]) satisfies z.ZodType<OutboundContent>;

export const isMediaContent = (content: Content): content is Content<MediaType> =>
  mediaTypes.some((type) => type === content.type);

export const referral = z
  .object({
    source_type: z.string().optional(),
    source_id: z.string().optional(),
    source_url: z.string().optional(),
    headline: z.string().optional(),
    body: z.string().optional(),
    media_type: z.string().optional(),
    image_url: z.string().optional(),
    video_url: z.string().optional(),
    thumbnail_url: z.string().optional(),
    click_id: z.string().optional(),
    welcome_message: z.string().optional(),
    catalog_id: z.string().optional(),
    product_id: z.string().optional(),
  })
  .meta({ id: "Referral" });

export type Referral = z.infer<typeof referral>;

export const providerMedia = z.object({
  id: z.string().nullable(),
  url: z.string().nullable(),
  mimeType: z.string().nullable(),
  filename: z.string().nullable(),
  sha256: z.string().nullable(),
});

export type ProviderMedia = z.infer<typeof providerMedia>;

const inboundTypes = Object.keys(contentShapes).filter((type): type is ContentType => type !== "text");

export const inboundParts = z.object({
  type: z.enum(["text", ...inboundTypes]),
  content: z.unknown(),
  media: providerMedia.nullable().default(null),
  /** A reply or a reaction refers to another message. These are the keys under which that message may be stored. */
  replyTo: z.array(z.string()).default([]),
  isForwarded: z.boolean().default(false),
  referral: referral.nullable().default(null),
});

export type InboundParts = z.infer<typeof inboundParts>;
