import type { HeaderKind, TemplateButtonPart } from "../../../../channels/templates/components.ts";

export const headerKinds: Record<HeaderKind, { icon: string; words: string }> = {
  image: { icon: "🖼", words: "Image" },
  video: { icon: "🎬", words: "Video" },
  document: { icon: "📄", words: "Document" },
  location: { icon: "📍", words: "Location" },
};

/** `words` is the label of a button without a text. */
const buttonKinds: Record<string, { symbol: string; words?: string }> = {
  URL: { symbol: "↗" },
  PHONE_NUMBER: { symbol: "📞" },
  VOICE_CALL: { symbol: "📞", words: "Call on WhatsApp" },
  COPY_CODE: { symbol: "⧉", words: "Copy offer code" },
  OTP: { symbol: "⧉", words: "Copy code" },
  FLOW: { symbol: "☰", words: "Open form" },
  CATALOG: { symbol: "🛒", words: "View catalog" },
  MPM: { symbol: "🛒", words: "View items" },
  SPM: { symbol: "🛒", words: "View" },
  QUICK_REPLY: { symbol: "↩" },
  REQUEST_CONTACT_INFO: { symbol: "👤", words: "Share contact info" },
};

type Named = Pick<TemplateButtonPart, "type" | "text">;

export const buttonText = ({ type, text }: Named): string =>
  text || (buttonKinds[type]?.words ?? type.toLowerCase().replaceAll("_", " "));

export const buttonSymbol = ({ type }: Named): string => buttonKinds[type]?.symbol ?? "•";
