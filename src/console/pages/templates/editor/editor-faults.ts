import type { Fault } from "../../../../shared/errors.ts";
import { isTicked, type SentValues } from "../../../kit/forms/forms.ts";
import { isOneTime, typedIn, variablesInText, type Written } from "./editor-values.ts";

function fieldOfExample(text: string, examples: string, [field = "", ...rest]: string[]): string {
  const position = field === "body_text" ? rest[1] : rest[0];
  const name = variablesInText(text)[Number(position ?? 0)];
  return name === undefined ? `${examples}1` : examples + name;
}

function fieldOfPart(values: SentValues, type: string, at: string, [first = "", ...rest]: string[]): string {
  const isText = at === "" && typedIn(values, "header.format") === "TEXT";
  switch (type) {
    case "HEADER":
      if (first === "example")
        return isText
          ? fieldOfExample(typedIn(values, "header.text"), "header.examples.", rest)
          : `${at}header.media_id`;
      if (first === "text") return "header.text";
      return at === "" ? "header.format" : "card_format";
    case "BODY":
      if (first === "example") return fieldOfExample(typedIn(values, `${at}body.text`), `${at}body.examples.`, rest);
      return `${at}body.${first === "" ? "text" : first}`;
    case "FOOTER":
      return `footer.${first === "" ? "text" : first}`;
    default:
      return fieldOfButton(at, rest);
  }
}

/**
 * All cards must have the same kinds of buttons. The kind is therefore chosen once for all cards, in the fields
 * `card_buttons.0`, `card_buttons.1` and so on.
 */
function fieldOfButton(at: string, [position, field = "text"]: string[]): string {
  if (position === undefined) return at === "" ? "buttons" : "card_buttons.0";
  if (at !== "" && field === "type") return `card_buttons.${position}`;
  return `${at}buttons.${position}.${field}`;
}

const CARD = /^(\d)\.components\.(\d)\.?(.*)$/;

const cardParts = (values: SentValues): string[] => [
  "HEADER",
  ...(isTicked(values, "card_texts") ? ["BODY"] : []),
  "BUTTONS",
];

function fieldOfCode([, field = "text", , ofApp]: string[]): string {
  if (field === "supported_apps") return `otp.${ofApp ?? "package_name"}`;
  return `otp.${field === "type" ? "otp_type" : field}`;
}

function fieldOf(values: SentValues, components: readonly Written[], path: string): string {
  const [position = "", ...rest] = path.split(".");
  const type = components[Number(position)]?.type ?? "BODY";
  if (type === "BUTTONS" && isOneTime(values)) return fieldOfCode(rest.slice(1));
  if (type !== "CAROUSEL") return fieldOfPart(values, type, "", rest);
  const [, card, part, within = ""] = CARD.exec(rest.slice(1).join(".")) ?? [];
  if (card === undefined || part === undefined) return "layout";
  const kind = cardParts(values)[Number(part)] ?? "BUTTONS";
  return fieldOfPart(values, kind, `cards.${card}.`, within === "" ? [] : within.split("."));
}

/** Replaces the API's message about a missing `header_handle`, because the editor has no field of this name. */
function atField(fault: Fault, path: string): Fault {
  const isFile = path.endsWith("header.media_id") && fault.code === "required";
  return { ...fault, path, ...(isFile && { message: "Choose a file." }) };
}

export function faultOfEditor(fault: Fault, values: SentValues, components: readonly Written[]): Fault {
  if (fault.path === "components") return atField(fault, "body.text");
  if (!fault.path.startsWith("components.")) return fault;
  return atField(fault, fieldOf(values, components, fault.path.slice("components.".length)));
}
