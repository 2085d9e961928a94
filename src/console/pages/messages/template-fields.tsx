// The fields for what a template takes besides the variables of its text: header, buttons and cards.
import type { FC } from "hono/jsx";
import { splitTemplate } from "../../../features/templates/templates.external.ts";
import {
  type ButtonNeed,
  type CardNeeds,
  type HeaderKind,
  type PartNeeds,
  partNeeds,
} from "../../../features/templates/templates.parts.ts";
import { variablesIn } from "../../../features/templates/templates.render.ts";
import type { TemplateRecord } from "../../../features/templates/templates.schemas.ts";
import { TextField } from "../../kit/form-fields.tsx";
import { useFormState } from "../../kit/forms.ts";
import { FileChoice } from "./file-choice.tsx";
import type { TemplateFiles } from "./template-files.ts";
import { buttonText, readTemplateParts, type ShownButton, type ShownCard } from "./template-parts.ts";

type ButtonKind = ButtonNeed["kind"];

/** The label and help of a button's value. */
function describeButton(kind: ButtonKind, button: ShownButton | undefined): { label: string; help?: string } {
  const words = button === undefined ? "the button" : `“${buttonText(button)}”`;
  const address = button?.url?.replace(/\{\{.*$/, "");
  switch (kind) {
    case "url":
      return { label: `End of the link of ${words}`, ...(address !== undefined && { help: `Follows ${address}` }) };
    case "copy_code":
      return { label: `Code that ${words} copies` };
    case "quick_reply":
      return { label: `Payload of ${words}`, help: "Comes back to your software when the button is pressed." };
    case "flow":
      return { label: `Token of ${words}`, help: "Comes back to your software with the form." };
  }
}

/** The label and help of a variable that is not in the text; null for one that is. */
export function describePlace(template: TemplateRecord, name: string): { label: string; help?: string } | null {
  const { parameters, category, components } = template;
  if (parameters === null) return null;
  const { header, body, buttons } = splitTemplate({ parameters, category, components });
  if (variablesIn(body).includes(name)) return null;
  if (variablesIn(header).includes(name)) return { label: "Value in the header" };
  const place = buttons.find(({ variable }) => variable === name);
  if (place === undefined) return null;
  return describeButton(place.kind, readTemplateParts(components).buttons[place.index]);
}

interface PartProps {
  /** The beginning of the fields' names: empty, or `cards.0.`. */
  at: string;
  files: TemplateFiles;
}

const kindLabels: Record<HeaderKind, string> = {
  image: "Picture in the header",
  video: "Video in the header",
  document: "Document in the header",
  location: "Place in the header",
};

const HeaderField: FC<PartProps & { kind: HeaderKind }> = ({ at, kind, files }) => {
  const place = `${at}header`;
  if (kind !== "location")
    return <FileChoice at={place} label={kindLabels[kind]} kind={kind} files={files} takesAddress />;
  const field = (name: string) => ({ name: `${place}.location.${name}` });
  return (
    <fieldset>
      <legend>{kindLabels.location}</legend>
      <div class="pair">
        <TextField {...field("latitude")} label="Latitude" inputmode="decimal" placeholder="52.52" required />
        <TextField {...field("longitude")} label="Longitude" inputmode="decimal" placeholder="13.405" required />
      </div>
      <TextField {...field("name")} label="Name of the place" />
      <TextField {...field("address")} label="Address" />
    </fieldset>
  );
};

const ButtonFields: FC<Omit<PartProps, "files"> & { needs: readonly ButtonNeed[]; shown: readonly ShownButton[] }> = ({
  at,
  needs,
  shown,
}) => {
  const state = useFormState();
  const field = ({ index, kind, isRequired }: ButtonNeed) => (
    <TextField name={`${at}buttons.${index}`} {...describeButton(kind, shown[index])} required={isRequired} />
  );
  const optional = needs.filter(({ isRequired }) => !isRequired);
  const isTouched = optional.some(({ index }) => {
    const name = `${at}buttons.${index}`;
    return (state.values.get(name)?.[0] ?? "") !== "" || state.faults.some(({ path }) => path === name);
  });
  return (
    <>
      {needs.filter(({ isRequired }) => isRequired).map(field)}
      {optional.length > 0 && (
        <details class="more" open={isTouched}>
          <summary>What buttons send back</summary>
          {optional.map(field)}
        </details>
      )}
    </>
  );
};

const CardFields: FC<PartProps & { place: number; needs: CardNeeds; shown: ShownCard | undefined }> = ({
  place,
  needs,
  shown,
  ...part
}) => (
  <fieldset class="card-fields">
    <legend>Card {place + 1}</legend>
    {needs.header !== null && <HeaderField {...part} kind={needs.header} />}
    {variablesIn(needs.body).map((name) => (
      <TextField name={`${part.at}variables.${name}`} label={`Value of {{${name}}}`} required />
    ))}
    <ButtonFields {...part} needs={needs.buttons} shown={shown?.buttons ?? []} />
  </fieldset>
);

interface FieldsProps {
  template: TemplateRecord;
  files: TemplateFiles;
}

/** Buttons whose values are variables have their fields among these. */
const ownButtons = ({ buttons }: PartNeeds): ButtonNeed[] => buttons.filter(({ isRequired }) => !isRequired);

/** True where there is a card that takes something. */
const takesValues = ({ header, body, buttons }: CardNeeds): boolean =>
  header !== null || variablesIn(body).length > 0 || buttons.length > 0;

/** The header's field goes before the variables, as it does on the phone. */
export const TemplateHeaderField: FC<FieldsProps> = ({ template, files }) => {
  const { header } = partNeeds(template);
  return header === null ? <></> : <HeaderField at="" kind={header} files={files} />;
};

/** The fields of buttons and cards. */
export const TemplatePartFields: FC<FieldsProps> = ({ template, files }) => {
  const needs = partNeeds(template);
  const shown = readTemplateParts(template.components);
  return (
    <>
      <ButtonFields at="" needs={ownButtons(needs)} shown={shown.buttons} />
      {needs.cards.map((card, place) =>
        takesValues(card) ? (
          <CardFields at={`cards.${place}.`} place={place} needs={card} shown={shown.cards[place]} files={files} />
        ) : null,
      )}
    </>
  );
};
