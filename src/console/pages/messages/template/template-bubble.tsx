import type { Child, FC } from "hono/jsx";
import type { TemplateHeader } from "../../../../channels/templates/channel-templates.ts";
import type { HeaderKind } from "../../../../channels/templates/components.ts";
import { parseTemplate } from "../../../../features/templates/model/parse-template.ts";
import { isBlank, type TextPieces } from "../../../../features/templates/model/render-text.ts";
import type { TemplateRecord } from "../../../../features/templates/templates.schemas.ts";
import { VARIABLE_PREFIX } from "../../../kit/forms/faults.ts";
import { type SentValues, useFormState } from "../../../kit/forms/forms.ts";
import { PhoneBubble } from "../phone-bubble.tsx";
import type { TemplateFiles } from "./template-files.tsx";

type ValueOf = (name: string) => string | null | undefined;

/** Fills in the placeholders. A placeholder without a value shows its fallback, or its name if it has none. */
export const FilledPlaceholders: FC<{ pieces: TextPieces; valueOf: ValueOf; asWritten: boolean }> = ({
  pieces,
  valueOf,
  asWritten,
}) => (
  <>
    {pieces.map((piece) => {
      if (typeof piece === "string") return piece;
      const { name, fallback } = piece;
      const value = valueOf(name);
      if (isBlank(value) && asWritten) return `{{${name}${fallback === null ? "" : `|${fallback}`}}}`;
      return <span class="filled">{isBlank(value) ? (fallback ?? `{{${name}}}`) : value}</span>;
    })}
  </>
);

const coordinate = (text: string): number | null => {
  const number = Number(text.trim());
  return text.trim() === "" || !Number.isFinite(number) ? null : number;
};

function readGiven(kind: HeaderKind | null, at: string, textOf: (name: string) => string): TemplateHeader | null {
  if (kind === null) return null;
  const [stored, uploaded] = [textOf(`${at}header.stored`), textOf(`${at}header.media_id`)];
  const fileId = stored === "" ? uploaded : stored;
  if (kind !== "location") return fileId === "" ? null : { type: kind, media_id: fileId };
  const location = `${at}header.location.`;
  const [latitude, longitude] = [coordinate(textOf(`${location}latitude`)), coordinate(textOf(`${location}longitude`))];
  if (latitude === null || longitude === null) return null;
  const [name, address] = [textOf(`${location}name`), textOf(`${location}address`)];
  return { type: kind, latitude, longitude, ...(name !== "" && { name }), ...(address !== "" && { address }) };
}

interface BubbleProps {
  template: TemplateRecord;
  values: SentValues;
  /**
   * The contact's value for each variable. Undefined for a campaign, which has many contacts and thus no single
   * value.
   */
  own?: ReadonlyMap<string, string | null>;
  files: Pick<TemplateFiles, "chosen">;
  text?: Child;
}

export const TemplateBubble: FC<BubbleProps> = ({ template, values, own, files, text }) => {
  const { parts, title, headerKind, body, cards } = parseTemplate(template);
  const textOf = (name: string) => values.get(name)?.[0] ?? "";
  const valueIn =
    (at: string): ValueOf =>
    (name) => {
      const sent = textOf(at + VARIABLE_PREFIX + name);
      return isBlank(sent) && at === "" ? own?.get(name) : sent;
    };
  const filled = (pieces: TextPieces, at = "") => (
    <FilledPlaceholders pieces={pieces} valueOf={valueIn(at)} asWritten={own === undefined} />
  );
  return (
    <PhoneBubble
      header={parts.header}
      title={filled(title)}
      given={readGiven(headerKind, "", textOf)}
      footer={parts.footer?.text ?? ""}
      buttons={parts.buttons}
      cards={parts.cards.map((card, position) => ({
        ...card,
        said: filled(cards[position]?.body ?? [], `cards.${position}.`),
        given: readGiven(cards[position]?.headerKind ?? null, `cards.${position}.`, textOf),
      }))}
      files={files.chosen}
    >
      <p class="said">{text ?? filled(body)}</p>
    </PhoneBubble>
  );
};

export const BubblePreview: FC<Omit<BubbleProps, "values"> & { values?: SentValues }> = ({ values, ...props }) => {
  const form = useFormState();
  return (
    <div class="preview" id="preview">
      <p class="help">Preview</p>
      <TemplateBubble {...props} values={values ?? form.values} />
    </div>
  );
};

export const PreviewButton: FC<{ action: string }> = ({ action }) => (
  <button type="submit" class="plain scriptless" formaction={action} formtarget="_blank" formnovalidate data-preview>
    Preview
  </button>
);
