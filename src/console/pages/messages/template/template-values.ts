// Template values as form fields: `variables.name`, `header.media_id`, `buttons.1`, `cards.0.variables.1`.
import type { SentParts } from "../../../../features/templates/model/sent-parts.schemas.ts";
import type { TemplateValues } from "../../../../features/templates/model/read-values.ts";
import { AppError, type Fault } from "../../../../shared/errors.ts";
import { readFaults, VARIABLE_PREFIX, atFields } from "../../../kit/forms/faults.ts";
import { formFields, definedFields } from "../../../kit/forms/form-body.ts";
import type { SentForm } from "../../../kit/forms/forms.ts";

const unlessEmpty = <T extends object>(group: T): T | undefined =>
  Object.keys(group).length === 0 ? undefined : group;

/** A selected stored file replaces the current one. */
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

/** The API's body for template values. Cards keep their index. */
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

/** Form fields for these values, to pass through another form or to render. */
export const valueFields = (values: TemplateValues): [name: string, text: string][] => [
  ...groupFields(values, ""),
  ...(values.cards ?? []).flatMap((card, position) => groupFields(card, `cards.${position}.`)),
];

const BUTTON_PATH = /^(cards\.(\d)\.)?buttons\.(\d)\./;

/** Button faults contain the index in the request; form fields use the button's index. */
function faultOfButton(fault: Fault, { buttons, cards = [] }: SentParts): Fault {
  const [, at = "", card, position] = BUTTON_PATH.exec(fault.path) ?? [];
  const sent = card === undefined ? buttons : cards[Number(card)]?.buttons;
  const index = position === undefined ? undefined : sent?.[Number(position)]?.index;
  return index === undefined ? fault : { ...fault, path: `${at}buttons.${index}` };
}

export const valueFaults = (error: AppError, values: SentParts): Fault[] =>
  readFaults(error).map((fault) => faultOfButton(fault, values));

export const atValueFields = <T>(values: SentParts, work: Promise<T>): Promise<T> =>
  atFields(work, (fault) => faultOfButton(fault, values));
