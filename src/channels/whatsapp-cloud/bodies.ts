// The texts of the Cloud API's messages, kind by kind.
// Source: developers.facebook.com/documentation/business-messaging/whatsapp/webhooks/reference/messages
import * as z from "zod";
import { number, lenientText } from "../lenient.ts";
import { bodyOf, labelled, listed, storable } from "../readable.ts";

const part = <S extends z.ZodRawShape>(shape: S) => z.object(shape).nullish().catch(null);
const media = part({ caption: lenientText, filename: lenientText, voice: z.boolean().nullish().catch(null) });
const reply = part({ title: lenientText, description: lenientText });

/** The parts of a message that can be read, each by the name of its kind. A malformed part counts as not there. */
export const messageContent = z.object({
  type: z.string().catch("unknown"),
  text: part({ body: lenientText }),
  image: media,
  video: media,
  audio: media,
  document: media,
  sticker: media,
  location: part({ name: lenientText, address: lenientText, latitude: number, longitude: number }),
  contacts: z
    .array(
      z.object({
        name: part({ formatted_name: lenientText }),
        phones: z
          .array(z.object({ phone: lenientText }))
          .nullish()
          .catch(null),
      }),
    )
    .nullish()
    .catch(null),
  reaction: part({ emoji: lenientText }),
  button: part({ text: lenientText }),
  interactive: part({
    button_reply: reply,
    list_reply: reply,
    nfm_reply: part({ name: lenientText, body: lenientText, response_json: lenientText }),
    call_permission_reply: part({ response: lenientText }),
  }),
  order: part({ text: lenientText, product_items: z.array(z.unknown()).nullish().catch(null) }),
  errors: z
    .array(z.object({ title: lenientText, message: lenientText }))
    .nullish()
    .catch(null),
});

type Content = z.infer<typeof messageContent>;

const describeContact = ({ name, phones }: NonNullable<Content["contacts"]>[number]) =>
  labelled("contact", name?.formatted_name, ...(phones ?? []).map(({ phone }) => phone));

function interactiveBody({ interactive }: Content): string {
  const chosen = interactive?.button_reply ?? interactive?.list_reply;
  if (chosen) return bodyOf(chosen.title, "reply");
  const form = interactive?.nfm_reply;
  if (form) return labelled(form.name ?? "form", form.body, form.response_json);
  return labelled("reply", interactive?.call_permission_reply?.response);
}

function readableBody(content: Content): string {
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
      // Taking one back comes without an emoji.
      return content.reaction?.emoji ? labelled("reaction", content.reaction.emoji) : labelled("reaction removed");
    case "button":
      return bodyOf(content.button?.text, "reply");
    case "interactive":
      return interactiveBody(content);
    case "order":
      return labelled("order", `${content.order?.product_items?.length ?? 0} items`, content.order?.text);
    default: {
      const [error] = content.errors ?? [];
      const kind = type === "unsupported" || type === "unknown" ? "unsupported message" : type;
      return labelled(kind.slice(0, 50), error?.message ?? error?.title);
    }
  }
}

/** A message of any kind as text, for the conversation. A reply by button or list is what the button says. */
export const bodyOfMessage = (content: Content): string => storable(readableBody(content));
