import type { ContactCard, Content, MediaContent, MediaType } from "./content.ts";
import { type LenientText, storable } from "./provider-input.ts";

type Part = string | number | null | undefined;

const joined = (parts: Part[], separator: string) =>
  parts.filter((part) => part !== null && part !== undefined && part !== "").join(separator);

export const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? "" : "s"}`;

export const labelled = (kind: string, ...parts: Part[]): string => joined([`[${kind}]`, ...parts], " ");

export const listed = (...parts: Part[]): string => joined(parts, ", ");

export const bodyOf = (text: LenientText, kind = "empty message"): string => {
  const body = storable(text ?? "");
  return body.trim() === "" ? labelled(kind) : body;
};

type ReadableContent =
  | { type: MediaType; content: Partial<MediaContent> }
  | Exclude<Content, { type: MediaType | "text" | "unsupported" }>;

const cardLine = ({ name, phones }: ContactCard): string =>
  labelled("contact", name.formatted_name, ...phones.map(({ phone }) => phone));

/**
 * Describes the content as text. If the contact sent it, a location includes its coordinates, and contact cards include
 * their phone numbers. If we sent it, the text contains only the location's address or the names on the cards.
 */
export function readableLine({ type, content }: ReadableContent, fromContact: boolean): string {
  switch (type) {
    case "image":
    case "video":
    case "audio":
    case "document":
    case "sticker":
      return labelled(content.voice === true ? "voice message" : type, content.filename, content.caption);
    case "location": {
      const [address, coordinates] = [
        listed(content.name, content.address),
        listed(content.latitude, content.longitude),
      ];
      return labelled(type, fromContact ? listed(address, coordinates) : address || coordinates);
    }
    case "contacts":
      if (!fromContact) return labelled(type, listed(...content.map(({ name }) => name.formatted_name)));
      return content.map(cardLine).join("\n") || labelled("contact");
    case "interactive":
      return content.body;
    case "reaction":
      return content.emoji === "" ? labelled("reaction removed") : labelled(type, content.emoji);
    case "button_reply":
    case "list_reply":
      return content.title;
    case "form_reply":
      return labelled(content.name ?? "form", content.body, JSON.stringify(content.response));
    case "order":
      return labelled(type, counted(content.products.length, "item"), content.text);
  }
}
