// Request bodies that Meta's reference allows. Sources: the schemas of github.com/facebook/openapi
// (business-messaging-api), and developers.facebook.com/documentation/business-messaging/whatsapp for parts
// that the schemas lack: context, recipient, cta_url, location_request_message, voice, copy_code, flow,
// carousel.
import * as z from "zod";

/** Meta counts an emoji as one character. */
const text = (max: number) =>
  z
    .string()
    .min(1)
    .refine((value) => Array.from(value).length <= max, `at most ${max}`);
const id = z.string().regex(/^\d+$/, "a media id");
const caption = text(1024).optional();

const coordinate = z.string().regex(/^-?\d{1,3}(\.\d+)?$/);
const location = z.strictObject({
  latitude: coordinate,
  longitude: coordinate,
  name: text(1000).optional(),
  address: text(1000).optional(),
});

const contact = z.strictObject({
  // Meta requires the formatted name and at least one other name.
  name: z
    .strictObject({
      formatted_name: text(1000),
      first_name: text(1000).optional(),
      last_name: text(1000).optional(),
      middle_name: text(1000).optional(),
      prefix: text(100).optional(),
      suffix: text(100).optional(),
    })
    .refine((name) => Object.keys(name).length >= 2, "needs a part beside formatted_name"),
  phones: z
    .array(z.strictObject({ phone: text(100), type: text(100).optional(), wa_id: text(100).optional() }))
    .min(1)
    .optional(),
  emails: z
    .array(z.strictObject({ email: z.email({ pattern: z.regexes.unicodeEmail }), type: text(100).optional() }))
    .min(1)
    .optional(),
  org: z
    .strictObject({ company: text(1000).optional(), department: text(1000).optional(), title: text(1000).optional() })
    .optional(),
  addresses: z
    .array(
      z.strictObject({
        street: text(1000).optional(),
        city: text(1000).optional(),
        state: text(1000).optional(),
        zip: text(100).optional(),
        country: text(1000).optional(),
        country_code: text(2).optional(),
        type: text(100).optional(),
      }),
    )
    .min(1)
    .optional(),
  urls: z
    .array(z.strictObject({ url: z.url(), type: text(100).optional() }))
    .min(1)
    .optional(),
  birthday: z.iso.date().optional(),
});

const distinct = (values: readonly string[]) => new Set(values).size === values.length;
const header = z.strictObject({ type: z.literal("text"), text: text(60) }).optional();
const body = z.strictObject({ text: text(1024) });
const footer = z.strictObject({ text: text(60) }).optional();

const interactive = z.discriminatedUnion("type", [
  z.strictObject({
    type: z.literal("button"),
    header,
    body,
    footer,
    action: z.strictObject({
      buttons: z
        .array(z.strictObject({ type: z.literal("reply"), reply: z.strictObject({ id: text(256), title: text(20) }) }))
        .min(1)
        .max(3)
        .refine((buttons) => distinct(buttons.map(({ reply }) => reply.id)), "ids differ")
        .refine((buttons) => distinct(buttons.map(({ reply }) => reply.title)), "titles differ"),
    }),
  }),
  z.strictObject({
    type: z.literal("list"),
    header,
    body: z.strictObject({ text: text(4096) }),
    footer,
    action: z.strictObject({
      button: text(20),
      sections: z
        .array(
          z.strictObject({
            title: text(24).optional(),
            rows: z
              .array(z.strictObject({ id: text(200), title: text(24), description: text(72).optional() }))
              .min(1)
              .max(10),
          }),
        )
        .min(1)
        .max(10)
        .refine((all) => all.length === 1 || all.every(({ title }) => title), "several sections have titles")
        .refine((all) => all.flatMap(({ rows }) => rows).length <= 10, "at most 10 rows")
        .refine((all) => distinct(all.flatMap(({ rows }) => rows.map((row) => row.id))), "ids differ"),
    }),
  }),
  z.strictObject({
    type: z.literal("cta_url"),
    header,
    body,
    footer,
    action: z.strictObject({
      name: z.literal("cta_url"),
      parameters: z.strictObject({ display_text: text(20), url: z.url() }),
    }),
  }),
  z.strictObject({
    type: z.literal("location_request_message"),
    body,
    action: z.strictObject({ name: z.literal("send_location") }),
  }),
]);

const textParameter = z.strictObject({
  type: z.literal("text"),
  parameter_name: text(100).optional(),
  text: text(32_768),
});

const headerParameter = z.discriminatedUnion("type", [
  textParameter,
  z.strictObject({ type: z.literal("image"), image: z.strictObject({ id }) }),
  z.strictObject({ type: z.literal("video"), video: z.strictObject({ id }) }),
  z.strictObject({ type: z.literal("document"), document: z.strictObject({ id, filename: text(240).optional() }) }),
  z.strictObject({ type: z.literal("location"), location }),
]);

const headerComponent = z.strictObject({
  type: z.literal("header"),
  parameters: z.array(headerParameter).min(1).max(1),
});
const bodyComponent = z.strictObject({ type: z.literal("body"), parameters: z.array(textParameter).min(1) });

const button = <T extends string, P extends z.ZodType>(sub_type: T, parameter: P) =>
  z.strictObject({
    type: z.literal("button"),
    sub_type: z.literal(sub_type),
    index: z.string().regex(/^\d$/),
    parameters: z.array(parameter).length(1),
  });

const buttonComponent = z.discriminatedUnion("sub_type", [
  button("url", z.strictObject({ type: z.literal("text"), text: text(2000) })),
  button("quick_reply", z.strictObject({ type: z.literal("payload"), payload: text(256) })),
  button("copy_code", z.strictObject({ type: z.literal("coupon_code"), coupon_code: text(15) })),
  button("flow", z.strictObject({ type: z.literal("action"), action: z.strictObject({ flow_token: text(1000) }) })),
]);

const carousel = z.strictObject({
  type: z.literal("carousel"),
  cards: z
    .array(
      z.strictObject({
        card_index: z.int().min(0).max(9),
        components: z.array(z.union([headerComponent, bodyComponent, buttonComponent])),
      }),
    )
    .min(1)
    .max(10),
});

const template = z.strictObject({
  name: text(512),
  language: z.strictObject({ policy: z.literal("deterministic"), code: text(20) }),
  components: z
    .array(z.union([headerComponent, bodyComponent, buttonComponent, carousel]))
    .min(1)
    .optional(),
});

const base = {
  messaging_product: z.literal("whatsapp"),
  recipient_type: z.literal("individual"),
  to: text(100).optional(),
  recipient: text(200).optional(),
  context: z.strictObject({ message_id: text(512) }).optional(),
  biz_opaque_callback_data: text(512),
};

const message = <T extends string>(type: T, content: z.ZodType) =>
  z.strictObject({ ...base, type: z.literal(type), [type]: content });

const templateMessage = message("template", template);

const hasOneRecipient = (request: object) => "to" in request !== "recipient" in request;

export const messageBody = z
  .discriminatedUnion("type", [
    message("text", z.strictObject({ body: text(4096), preview_url: z.boolean() })),
    message("image", z.strictObject({ id, caption })),
    message("video", z.strictObject({ id, caption })),
    message("audio", z.strictObject({ id, voice: z.literal(true).optional() })),
    message("document", z.strictObject({ id, caption, filename: text(240).optional() })),
    message("sticker", z.strictObject({ id })),
    message("location", location),
    message("contacts", z.array(contact).min(1).max(257)),
    message("interactive", interactive),
    message("reaction", z.strictObject({ message_id: text(512), emoji: z.string().max(20) })),
    templateMessage,
  ])
  .refine(hasOneRecipient, "either to or recipient");

/** `POST /{phone_number_id}/marketing_messages` */
export const marketingMessageBody = templateMessage
  .extend({
    product_policy: z.enum(["CLOUD_API_FALLBACK", "STRICT"]).optional(),
    message_activity_sharing: z.boolean().optional(),
  })
  .refine(hasOneRecipient, "either to or recipient");

export const readBody = z.strictObject({
  messaging_product: z.literal("whatsapp"),
  status: z.literal("read"),
  message_id: text(512),
});
