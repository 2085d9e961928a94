// Fields for a template's values, such as `variables.name`, `header.media_id`, `buttons.1` and
// `cards.0.variables.1`.
import type { SentParts } from "../../../../features/templates/model/sent-parts.schemas.ts";
import type { TemplateValues } from "../../../../features/templates/model/read-values.ts";
import { AppError, type Fault } from "../../../../shared/errors.ts";
import { readFaults, VARIABLE_PREFIX, atFields } from "../../../kit/forms/faults.ts";
import { formFields, definedFields } from "../../../kit/forms/form-body.ts";
import { type SentForm, useFormState } from "../../../kit/forms/forms.ts";
import type { FC } from "hono/jsx";
import type { HeaderKind, TemplateButtonPart } from "../../../../channels/templates/components.ts";
import { type ParsedCard, parseTemplate } from "../../../../features/templates/model/parse-template.ts";
import { variablesIn } from "../../../../features/templates/model/render-text.ts";
import type { TemplateRecord } from "../../../../features/templates/templates.schemas.ts";
import { TextField } from "../../../kit/forms/form-fields.tsx";
import { FileChoice, type TemplateFiles } from "./template-files.tsx";
import { buttonText } from "../phone-bubble.tsx";

const unlessEmpty = <T extends object>(group: T): T | undefined =>
  Object.keys(group).length === 0 ? undefined : group;

const readHeader = (form: SentForm, at: string) =>
  unlessEmpty(
    definedFields({
      media_id: form.text(`${at}stored`) ?? form.text(`${at}media_id`),
      url: form.text(`${at}url`),
      location: unlessEmpty(
        definedFields({
          latitude: form.number(`${at}location.latitude`),
          longitude: form.number(`${at}location.longitude`),
          name: form.text(`${at}location.name`),
          address: form.text(`${at}location.address`),
        }),
      ),
    }),
  );

function readButtons(form: SentForm, at: string) {
  const buttons = Object.entries(form.textsIn(at)).map(([index, value]) => ({ index: Number(index), value }));
  return buttons.length === 0 ? undefined : buttons;
}

const readGroup = (form: SentForm, at: string): Record<string, unknown> =>
  definedFields({
    variables: unlessEmpty(form.textsIn(at + VARIABLE_PREFIX)),
    header: readHeader(form, `${at}header.`),
    buttons: readButtons(form, `${at}buttons.`),
  });

const CARD = /^cards\.(\d)\./;

export function readTemplateValues(form: SentForm): Record<string, unknown> {
  const positions = [...form.values.keys()].map((name) => Number(CARD.exec(name)?.[1] ?? -1));
  const cards = Array.from({ length: Math.max(0, ...positions.map((position) => position + 1)) }, (_, position) =>
    readGroup(form, `cards.${position}.`),
  );
  return { ...readGroup(form, ""), ...(cards.length > 0 && { cards }) };
}

const groupFields = ({ variables, header, buttons = [] }: TemplateValues, at: string) => [
  ...formFields({ variables, header }, at),
  ...buttons.map(({ index, value }): [string, string] => [`${at}buttons.${index}`, value]),
];

export const valueFields = (values: TemplateValues): [name: string, text: string][] => [
  ...groupFields(values, ""),
  ...(values.cards ?? []).flatMap((card, position) => groupFields(card, `cards.${position}.`)),
];

const BUTTON_PATH = /^(cards\.(\d)\.)?buttons\.(\d)\./;

/**
 * Moves a fault to the button in the form. Their indexes differ: the API counts only the submitted buttons, and
 * the form counts all buttons of the template.
 */
function faultOfButton(fault: Fault, { buttons, cards = [] }: SentParts): Fault {
  const [, at = "", card, position] = BUTTON_PATH.exec(fault.path) ?? [];
  const sent = card === undefined ? buttons : cards[Number(card)]?.buttons;
  const index = position === undefined ? undefined : sent?.[Number(position)]?.index;
  return index === undefined ? fault : { ...fault, path: `${at}buttons.${index}` };
}

export const valueFaults = (error: AppError, values: SentParts): Fault[] =>
  readFaults(error).map((fault) => faultOfButton(fault, values));

export const atValueFields = <T,>(values: SentParts, work: Promise<T>): Promise<T> =>
  atFields(work, (fault) => faultOfButton(fault, values));

function describeButton(button: TemplateButtonPart): { label: string; help?: string } {
  const words = `“${buttonText(button)}”`;
  const address = button.url.replace(/\{\{.*$/, "");
  switch (button.takes) {
    case "url":
      return { label: `Link ending of ${words}`, ...(address !== "" && { help: `Added to the end of ${address}` }) };
    case "copy_code":
      return { label: `Code copied by ${words}` };
    case "quick_reply":
      return {
        label: `Payload of ${words}`,
        help: "Your software receives this value when the person presses the button.",
      };
    case "flow":
      return { label: `Token of ${words}`, help: "Your software receives this value with the person's form." };
    case null:
      return { label: words };
  }
}

export function describePlaceholder(template: TemplateRecord, name: string): { label: string; help?: string } | null {
  const { title, body, buttons } = parseTemplate(template);
  if (variablesIn(body).includes(name)) return null;
  if (variablesIn(title).includes(name)) return { label: "Header value" };
  const button = buttons.find(({ variable }) => variable === name);
  return button === undefined ? null : describeButton(button);
}

interface PartProps {
  at: string;
  files: TemplateFiles;
}

const kindLabels: Record<HeaderKind, string> = {
  image: "Header image",
  video: "Header video",
  document: "Header document",
  location: "Header location",
};

const HeaderField: FC<PartProps & { kind: HeaderKind }> = ({ at, kind, files }) => {
  const header = `${at}header`;
  if (kind !== "location")
    return <FileChoice at={header} label={kindLabels[kind]} kind={kind} files={files} takesAddress />;
  const field = (name: string) => ({ name: `${header}.location.${name}` });
  return (
    <fieldset>
      <legend>{kindLabels.location}</legend>
      <div class="pair">
        <TextField {...field("latitude")} label="Latitude" inputmode="decimal" placeholder="52.52" required />
        <TextField {...field("longitude")} label="Longitude" inputmode="decimal" placeholder="13.405" required />
      </div>
      <TextField {...field("name")} label="Location name" />
      <TextField {...field("address")} label="Address" />
    </fieldset>
  );
};

const ButtonFields: FC<Omit<PartProps, "files"> & { buttons: readonly TemplateButtonPart[] }> = ({ at, buttons }) => {
  const state = useFormState();
  const field = (button: TemplateButtonPart) => (
    <TextField name={`${at}buttons.${button.index}`} {...describeButton(button)} required={button.isRequired} />
  );
  const optional = buttons.filter(({ takes, isRequired }) => takes !== null && !isRequired);
  const isTouched = optional.some(({ index }) => {
    const name = `${at}buttons.${index}`;
    return (state.values.get(name)?.[0] ?? "") !== "" || state.faults.some(({ path }) => path === name);
  });
  return (
    <>
      {buttons.filter(({ isRequired }) => isRequired).map(field)}
      {optional.length > 0 && (
        <details class="more" open={isTouched}>
          <summary>Button payloads</summary>
          {optional.map(field)}
        </details>
      )}
    </>
  );
};

const CardFields: FC<PartProps & { position: number; card: ParsedCard }> = ({ position, card, ...part }) => (
  <fieldset class="card-fields">
    <legend>Card {position + 1}</legend>
    {card.headerKind !== null && <HeaderField {...part} kind={card.headerKind} />}
    {variablesIn(card.body).map((name) => (
      <TextField name={`${part.at}variables.${name}`} label={`Value of {{${name}}}`} required />
    ))}
    <ButtonFields {...part} buttons={card.buttons} />
  </fieldset>
);

interface FieldsProps {
  template: TemplateRecord;
  files: TemplateFiles;
}

const takesValues = ({ headerKind, body, buttons }: ParsedCard): boolean =>
  headerKind !== null || variablesIn(body).length > 0 || buttons.some(({ takes }) => takes !== null);

/** Forms show this field above the fields for the text, because a phone shows the header above the text. */
export const TemplateHeaderField: FC<FieldsProps> = ({ template, files }) => {
  const { headerKind } = parseTemplate(template);
  return headerKind === null ? <></> : <HeaderField at="" kind={headerKind} files={files} />;
};

/** If the value of a button is a variable, the button has no field here, because each variable has its own field. */
export const TemplatePartFields: FC<FieldsProps> = ({ template, files }) => {
  const { buttons, cards } = parseTemplate(template);
  return (
    <>
      <ButtonFields at="" buttons={buttons.filter(({ variable }) => variable === null)} />
      {cards.map((card, position) =>
        takesValues(card) ? (
          <CardFields at={`cards.${position}.`} position={position} card={card} files={files} />
        ) : null,
      )}
    </>
  );
};
