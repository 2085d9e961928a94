import {
  readComponents,
  type TemplateButtonPart,
  type TemplateParts,
  type TemplateText,
} from "../../../../channels/templates/components.ts";
import type { TemplateRecord } from "../../../../features/templates/templates.schemas.ts";
import { fieldsOfButton } from "../../messages/phone-bubble.tsx";
import { variablesInText } from "./editor-values.ts";
import type { FormState, SentValues } from "../../../kit/forms/forms.ts";
import { changeByOthers } from "../../../kit/forms/saving.ts";

type Fields = [name: string, text: string][];

const ticked = (name: string, isTicked: boolean): Fields => (isTicked ? [[name, "true"]] : []);

const filled = (fields: Fields): Fields => fields.filter(([, text]) => text !== "");

const textFields = (part: TemplateText, at: string): Fields => [
  [`${at}text`, part.text],
  ...variablesInText(part.text).flatMap((name, position): Fields => {
    const text = part.example(name, position);
    return text === undefined ? [] : [[`${at}examples.${name}`, text]];
  }),
];

const buttonFields = (buttons: readonly TemplateButtonPart[], at: string): Fields =>
  buttons.flatMap((button): Fields => {
    const row = `${at}buttons.${button.index}.`;
    const names = fieldsOfButton(button.type) ?? [];
    return [[`${row}type`, button.type], ...filled(names.map((name) => [row + name, button[name]]))];
  });

function codeFields({ buttons: [code], footer, hasSecurityAdvice }: TemplateParts): Fields {
  const minutes = footer?.minutes ?? null;
  const advice = ticked("body.add_security_recommendation", hasSecurityAdvice);
  const validity: Fields = minutes === null ? [] : [["footer.code_expiration_minutes", String(minutes)]];
  if (code === undefined) return [...advice, ...validity];
  const {
    otp_type,
    text,
    autofill_text,
    supported_apps: [app],
    zero_tap_terms_accepted: areAccepted,
  } = code;
  return [
    ...advice,
    ...validity,
    ...filled([
      ["otp.otp_type", otp_type],
      ["otp.text", text],
      ["otp.autofill_text", autofill_text],
      ["otp.package_name", app?.package_name ?? ""],
      ["otp.signature_hash", app?.signature_hash ?? ""],
    ]),
    ...ticked("otp.zero_tap_terms_accepted", areAccepted),
  ];
}

function cardFields(cards: TemplateParts["cards"]): Fields {
  const [first] = cards;
  if (first === undefined) return [];
  return [
    ["layout", "carousel"],
    ["card_format", (first.header?.kind ?? "image").toUpperCase()],
    ...ticked("card_texts", first.body !== null),
    ...first.buttons.map(({ type, index }): [string, string] => [`card_buttons.${index}`, type]),
    ...cards.flatMap(({ body, buttons }, position): Fields => {
      const at = `cards.${position}.`;
      return [
        [`${at}header.media_id`, ""],
        ...(body === null ? [] : textFields(body, `${at}body.`)),
        ...buttonFields(buttons, at),
      ];
    }),
  ];
}

export function isEditable({ components }: Pick<TemplateRecord, "components">): boolean {
  const { unsupported, others, buttons, cards } = readComponents(components);
  const all = [buttons, ...cards.map((card) => card.buttons)].flat();
  return (
    unsupported.length === 0 &&
    others.length === 0 &&
    all.every(({ type, flow_id }) => fieldsOfButton(type) !== undefined && (type !== "FLOW" || flow_id !== ""))
  );
}

/**
 * Returns the fields of the editor for a stored template. The example files are missing, so the user must
 * upload them again.
 */
export function storedFields({ category, components }: Pick<TemplateRecord, "category" | "components">) {
  const parts = readComponents(components);
  const { header, body, footer, buttons, cards } = parts;
  const fields: Fields = [
    ["category", category ?? "MARKETING"],
    ["layout", "message"],
    ["header.format", (header?.kind ?? "none").toUpperCase()],
    ...(header === null ? [] : textFields(header, "header.")),
    ...(body === null ? [] : textFields(body, "body.")),
    ...(footer === null ? [] : ([["footer.text", footer.text]] satisfies Fields)),
    ...(category === "AUTHENTICATION" ? codeFields(parts) : buttonFields(buttons, "")),
    ...cardFields(cards),
  ];
  return new Map(fields.map(([name, text]) => [name, [text]]));
}

const ROW = /^(?:buttons|cards)\.\d\./;

const CHANGED_ROW_REMOVED = "They also changed a button or card that you removed.";

const isRowOf = (values: SentValues, row: string): boolean => [...values.keys()].some((name) => name.startsWith(row));

const rowOf = (name: string): string => ROW.exec(name)?.[0] ?? "";

/**
 * Merges the submitted and the stored fields after a conflict. Fields that this user changed keep their values,
 * and all other fields get the stored values. If another user deleted a row in which this user changed a field,
 * the whole row is kept.
 */
export function mergeChanges(state: FormState, stored: SentValues): FormState {
  if (state.conflict === null) return state;
  const { before: made, own: changed } = state.conflict;
  const added = [...stored.keys()].filter((name) => !made.has(name));
  const isTyped = (name: string) => (state.values.get(name) ?? []).some((text) => text !== "");
  const own = new Set([...changed, ...added.filter(isTyped)]);
  const sent = [...state.values].filter(([name]) => own.has(name) || !stored.has(name));
  const rows = new Set(sent.map(([name]) => rowOf(name)).filter((row) => row !== "" && !isRowOf(stored, row)));
  const values = new Map([
    ...[...made].filter(([name]) => rows.has(rowOf(name)) && !own.has(name)),
    ...[...stored].filter(([name]) => !own.has(name)),
    ...sent,
  ]);
  const conflict = { before: new Map([...made, ...added.map((name) => [name, []] as const)]), own };
  const isChangedInVain = [...own].some(
    (name) => ROW.test(name) && !values.has(name) && changeByOthers(conflict, name, stored.get(name) ?? []) !== null,
  );
  const banner = isChangedInVain ? `${state.banner} ${CHANGED_ROW_REMOVED}` : state.banner;
  return { ...state, values, conflict, banner };
}
