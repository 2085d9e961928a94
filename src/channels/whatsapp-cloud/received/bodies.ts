// Source: developers.facebook.com/documentation/business-messaging/whatsapp/webhooks/reference/messages
import * as z from "zod";
import { referral, type Referral } from "../../content.ts";
import {
  lenientText,
  lenientBoolean,
  lenientNumber,
  lenientObject,
  fitJson,
  nonEmpty,
  storable,
} from "../../provider-input.ts";
import { bodyOf, counted, labelled, listed } from "../../readable.ts";

export const messageContext = {
  context: lenientObject({
    id: lenientText,
    forwarded: lenientBoolean,
    frequently_forwarded: lenientBoolean,
    referred_product: lenientObject({ catalog_id: lenientText, product_retailer_id: lenientText }),
  }),
  referral: lenientObject({
    source_url: lenientText,
    source_id: lenientText,
    source_type: lenientText,
    headline: lenientText,
    body: lenientText,
    media_type: lenientText,
    image_url: lenientText,
    video_url: lenientText,
    thumbnail_url: lenientText,
    ctwa_clid: lenientText,
    welcome_message: lenientObject({ text: lenientText }),
  }),
};

export type MessageContext = z.infer<z.ZodObject<typeof messageContext>>;

export const isForwardedBy = ({ context }: MessageContext): boolean =>
  context?.forwarded === true || context?.frequently_forwarded === true;

const MAX_REFERRAL_BYTES = 12_000;

export function referralOf({ referral: sent, context }: MessageContext): Referral | null {
  const { ctwa_clid, welcome_message, ...fields } = sent ?? {};
  const { catalog_id, product_retailer_id } = context?.referred_product ?? {};
  const ours = {
    click_id: ctwa_clid,
    welcome_message: welcome_message?.text,
    catalog_id,
    product_id: product_retailer_id,
  };
  const all = nonEmpty({ ...fields, ...ours });
  return Object.keys(all).length === 0 ? null : (referral.safeParse(fitJson(all, MAX_REFERRAL_BYTES)).data ?? null);
}

const media = lenientObject({
  id: lenientText,
  url: lenientText,
  mime_type: lenientText,
  sha256: lenientText,
  caption: lenientText,
  filename: lenientText,
  voice: lenientBoolean,
});
const reply = lenientObject({ id: lenientText, title: lenientText, description: lenientText });
const list = <S extends z.ZodType>(element: S) =>
  z
    .array(z.unknown())
    .transform((items): z.output<S>[] =>
      items.flatMap((item) => {
        const { success, data } = element.safeParse(item);
        return success ? [data] : [];
      }),
    )
    .nullish()
    .catch(null);

/**
 * The value of `type` for a message that Meta sends without a type. Older versions of Meta's API sent this value for
 * kinds of messages that they did not support.
 */
export const NO_TYPE = "unknown";

/**
 * Malformed fields become null, and a malformed `type` becomes `NO_TYPE`. Fields that are not in this schema stay as
 * Meta sent them.
 */
export const messageContent = z.looseObject({
  type: z.string().catch(NO_TYPE),
  text: lenientObject({ body: lenientText }),
  image: media,
  video: media,
  audio: media,
  document: media,
  sticker: media,
  location: lenientObject({
    name: lenientText,
    address: lenientText,
    url: lenientText,
    latitude: lenientNumber,
    longitude: lenientNumber,
  }),
  contacts: list(
    z.object({
      name: lenientObject({ formatted_name: lenientText, first_name: lenientText, last_name: lenientText }),
      phones: list(z.object({ phone: lenientText, wa_id: lenientText, user_id: lenientText, type: lenientText })),
      emails: list(z.object({ email: lenientText, type: lenientText })),
      org: lenientObject({ company: lenientText, department: lenientText, title: lenientText }),
      addresses: list(
        z.object({
          street: lenientText,
          city: lenientText,
          state: lenientText,
          zip: lenientText,
          country: lenientText,
          country_code: lenientText,
          type: lenientText,
        }),
      ),
      urls: list(z.object({ url: lenientText, type: lenientText })),
      birthday: lenientText,
      user_id: lenientText,
      origin: lenientText,
    }),
  ),
  reaction: lenientObject({ message_id: lenientText, emoji: lenientText }),
  button: lenientObject({ payload: lenientText, text: lenientText }),
  interactive: z
    .looseObject({
      type: lenientText,
      button_reply: reply,
      list_reply: reply,
      nfm_reply: lenientObject({ name: lenientText, body: lenientText, response_json: lenientText }),
      call_permission_reply: z.looseObject({ response: lenientText }).nullish().catch(null),
    })
    .nullish()
    .catch(null),
  order: lenientObject({
    catalog_id: lenientText,
    text: lenientText,
    product_items: list(
      z.object({
        product_retailer_id: lenientText,
        quantity: lenientNumber,
        item_price: lenientNumber,
        currency: lenientText,
      }),
    ),
  }),
  unsupported: lenientObject({ type: lenientText }),
  errors: list(
    z.object({
      code: lenientNumber,
      title: lenientText,
      message: lenientText,
      error_data: lenientObject({ details: lenientText }),
    }),
  ),
});

export type CloudMessage = z.infer<typeof messageContent>;

const describeContact = ({ name, phones }: NonNullable<CloudMessage["contacts"]>[number]) =>
  labelled("contact", name?.formatted_name, ...(phones ?? []).map(({ phone }) => phone));

function interactiveBody({ interactive }: CloudMessage): string {
  const chosen = interactive?.button_reply ?? interactive?.list_reply;
  if (chosen) return bodyOf(chosen.title, "reply");
  const form = interactive?.nfm_reply;
  if (form) return labelled(form.name ?? "form", form.body, form.response_json);
  return labelled("reply", interactive?.call_permission_reply?.response);
}

function readableBody(content: CloudMessage): string {
  const { type } = content;
  switch (type) {
    case "text":
      return bodyOf(content.text?.body);
    case "image":
    case "video":
    case "sticker":
      return labelled(type, content[type]?.caption);
    case "audio":
      return labelled(content.audio?.voice ? "voice message" : "audio", content.audio?.caption);
    case "document":
      return labelled("document", content.document?.filename, content.document?.caption);
    case "location": {
      const { name, address, latitude, longitude } = content.location ?? {};
      return labelled("location", listed(name, address, latitude, longitude));
    }
    case "contacts":
      return (content.contacts ?? []).map(describeContact).join("\n") || labelled("contact");
    case "reaction":
      // When a person removes a reaction, Meta sends it without an emoji.
      return content.reaction?.emoji ? labelled("reaction", content.reaction.emoji) : labelled("reaction removed");
    case "button":
      return bodyOf(content.button?.text, "reply");
    case "interactive":
      return interactiveBody(content);
    case "order":
      return labelled("order", counted(content.order?.product_items?.length ?? 0, "item"), content.order?.text);
    default: {
      const [error] = content.errors ?? [];
      const kind = type === "unsupported" || type === NO_TYPE ? "unsupported message" : type;
      return labelled(kind.slice(0, 50), error?.message ?? error?.title);
    }
  }
}

export const bodyOfMessage = (content: CloudMessage, maxBytes?: number): string =>
  storable(readableBody(content), maxBytes);
