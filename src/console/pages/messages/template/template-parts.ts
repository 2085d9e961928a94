import type { HeaderKind, TemplateButtonPart } from "../../../../channels/templates/components.ts";

export const headerKinds: Record<HeaderKind, { icon: string; words: string }> = {
  image: { icon: "🖼", words: "Image" },
  video: { icon: "🎬", words: "Video" },
  document: { icon: "📄", words: "Document" },
  location: { icon: "📍", words: "Location" },
};

type ButtonField = "text" | "url" | "phone_number" | "flow_id" | "example";

interface ButtonKind {
  symbol: string;
  /** The label of a button without a text. */
  words?: string;
  /** The label in the editor's list of buttons; other kinds cannot be added. */
  label?: string;
  /** The editor's fields, with Meta's names. */
  fields?: readonly ButtonField[];
}

const buttonKinds = new Map<string, ButtonKind>([
  ["QUICK_REPLY", { symbol: "↩", label: "Quick reply", fields: ["text"] }],
  ["URL", { symbol: "↗", label: "Link", fields: ["text", "url", "example"] }],
  ["PHONE_NUMBER", { symbol: "📞", label: "Phone call", fields: ["text", "phone_number"] }],
  ["COPY_CODE", { symbol: "⧉", words: "Copy offer code", label: "Copy an offer code", fields: ["example"] }],
  ["FLOW", { symbol: "☰", words: "Open form", label: "Form (flow)", fields: ["text", "flow_id"] }],
  ["REQUEST_CONTACT_INFO", { symbol: "👤", words: "Share contact info", label: "Share contact info", fields: [] }],
  // One-time passwords have their own fields.
  ["OTP", { symbol: "⧉", words: "Copy code", fields: [] }],
  ["VOICE_CALL", { symbol: "📞", words: "Call on WhatsApp" }],
  ["CATALOG", { symbol: "🛒", words: "View catalog" }],
  ["MPM", { symbol: "🛒", words: "View items" }],
  ["SPM", { symbol: "🛒", words: "View" }],
]);

export const editorButtonKinds = Array.from(buttonKinds, ([value, { label }]) => ({ value, label })).filter(
  (kind): kind is { value: string; label: string } => kind.label !== undefined,
);

/** Undefined if the editor cannot edit the kind. */
export const fieldsOfButton = (type: string): readonly ButtonField[] | undefined => buttonKinds.get(type)?.fields;

type Named = Pick<TemplateButtonPart, "type" | "text">;

export const buttonText = ({ type, text }: Named): string =>
  text || (buttonKinds.get(type)?.words ?? type.toLowerCase().replaceAll("_", " "));

export const buttonSymbol = ({ type }: Named): string => buttonKinds.get(type)?.symbol ?? "•";
