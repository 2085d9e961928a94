import type { HeaderKind, TemplateButtonPart, TemplateCardParts } from "../../../channels/templates/components.ts";
import type { Child, FC, PropsWithChildren } from "hono/jsx";
import type { TemplateHeader } from "../../../channels/templates/channel-templates.ts";
import { LocationCard } from "./message-cards.tsx";
import { MessageFile, readableName, type FilesById } from "./message-files.tsx";

const headerKinds: Record<HeaderKind, { icon: string; words: string }> = {
  image: { icon: "🖼", words: "Image" },
  video: { icon: "🎬", words: "Video" },
  document: { icon: "📄", words: "Document" },
  location: { icon: "📍", words: "Location" },
};

type ButtonField = "text" | "url" | "phone_number" | "flow_id" | "example";

interface ButtonKind {
  symbol: string;
  words?: string;
  /** The kind's name in the editor's list of buttons. If it is missing, users cannot add this kind in the editor. */
  label?: string;
  /**
   * The fields that the editor shows for this kind of button, with Meta's names. If `fields` is missing,
   * templates with such a button cannot be edited.
   */
  fields?: readonly ButtonField[];
}

const buttonKinds = new Map<string, ButtonKind>([
  ["QUICK_REPLY", { symbol: "↩", label: "Quick reply", fields: ["text"] }],
  ["URL", { symbol: "↗", label: "Link", fields: ["text", "url", "example"] }],
  ["PHONE_NUMBER", { symbol: "📞", label: "Phone call", fields: ["text", "phone_number"] }],
  ["COPY_CODE", { symbol: "⧉", words: "Copy offer code", label: "Copy an offer code", fields: ["example"] }],
  ["FLOW", { symbol: "☰", words: "Open form", label: "Form (flow)", fields: ["text", "flow_id"] }],
  ["REQUEST_CONTACT_INFO", { symbol: "👤", words: "Share contact info", label: "Share contact info", fields: [] }],
  // `fields` is empty, because the editor has a separate part for one-time passwords.
  ["OTP", { symbol: "⧉", words: "Copy code", fields: [] }],
  ["VOICE_CALL", { symbol: "📞", words: "Call on WhatsApp" }],
  ["CATALOG", { symbol: "🛒", words: "View catalog" }],
  ["MPM", { symbol: "🛒", words: "View items" }],
  ["SPM", { symbol: "🛒", words: "View" }],
]);

export const editorButtonKinds = Array.from(buttonKinds, ([value, { label }]) => ({ value, label })).filter(
  (kind): kind is { value: string; label: string } => kind.label !== undefined,
);

export const fieldsOfButton = (type: string): readonly ButtonField[] | undefined => buttonKinds.get(type)?.fields;

type Named = Pick<TemplateButtonPart, "type" | "text">;

export const buttonText = ({ type, text }: Named): string =>
  text || (buttonKinds.get(type)?.words ?? type.toLowerCase().replaceAll("_", " "));

const buttonSymbol = ({ type }: Named): string => buttonKinds.get(type)?.symbol ?? "•";

const Buttons: FC<{ buttons: readonly TemplateButtonPart[] }> = ({ buttons }) =>
  buttons.length === 0 ? null : (
    <ul class="choices-shown" aria-label="Buttons">
      {buttons.map((button) => (
        <li>
          <span aria-hidden="true">{buttonSymbol(button)}</span> {buttonText(button)}
        </li>
      ))}
    </ul>
  );

const Header: FC<{
  header: TemplateCardParts["header"];
  title?: Child;
  given?: TemplateHeader | null | undefined;
  files: FilesById;
}> = ({ header, title, given, files }) => {
  if (given !== null && given !== undefined) {
    if (given.type === "location") return <LocationCard location={given} />;
    const { type, media_id, filename } = given;
    return (
      <MessageFile
        type={type}
        content={{ media_id, ...(filename !== undefined && { filename: readableName(filename) }) }}
        files={files}
        isOwn
      />
    );
  }
  if (header === null) return null;
  if (header.kind === "text") return <p class="bubble-title">{title ?? header.text}</p>;
  const { icon, words } = headerKinds[header.kind];
  return (
    <div class="header-place">
      <span aria-hidden="true">{icon}</span> {words}
    </div>
  );
};

interface BubbleCard extends TemplateCardParts {
  said?: Child;
  given?: TemplateHeader | null | undefined;
}

interface BubbleParts {
  header: TemplateCardParts["header"];
  title?: Child;
  given?: TemplateHeader | null | undefined;
  footer?: string;
  buttons: readonly TemplateButtonPart[];
  cards?: readonly BubbleCard[];
  files: FilesById;
}

export const BubbleContent: FC<PropsWithChildren<BubbleParts>> = ({
  header,
  title,
  given,
  footer = "",
  buttons,
  cards = [],
  files,
  children,
}) => (
  <>
    <Header header={header} title={title} given={given} files={files} />
    {children}
    {footer !== "" && <p class="help bubble-footer">{footer}</p>}
    <Buttons buttons={buttons} />
    {cards.length > 0 && (
      <ol class="carousel" tabindex={0} aria-label="Cards">
        {cards.map((card) => (
          <li class="bubble-card">
            <Header header={card.header} given={card.given} files={files} />
            {card.body !== null && card.body.text !== "" && <p class="said">{card.said ?? card.body.text}</p>}
            <Buttons buttons={card.buttons} />
          </li>
        ))}
      </ol>
    )}
  </>
);

export const PhoneBubble: FC<PropsWithChildren<BubbleParts & { label?: string }>> = ({
  label = "Phone preview",
  ...parts
}) => (
  <div class="phone" role="group" aria-label={label}>
    <div class="message in">
      <BubbleContent {...parts} />
    </div>
  </div>
);
