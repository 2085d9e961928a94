// A provider's template: its text, and the values it wants to be given. Pure.
// Source: developers.facebook.com/documentation/business-messaging/whatsapp/templates
import * as z from "zod";
import { type ButtonNeed, partNeeds } from "./templates.parts.ts";
import { type TextPieces, parseExternal, render, variablesIn } from "./templates.render.ts";

const header = z.object({ type: z.literal("HEADER"), format: z.literal("TEXT"), text: z.string() });
const body = z.object({
  type: z.literal("BODY"),
  text: z.string().optional(),
  add_security_recommendation: z.boolean().optional(),
});

interface Description {
  parameters: "positional" | "named";
  components: readonly unknown[];
  category: string | null;
}

/** The category of templates that people can opt out of alone, as providers write it. */
export const MARKETING = "MARKETING";

/** The category of one-time passwords, as providers write it. */
export const AUTHENTICATION = "AUTHENTICATION";

export const isAuthentication = (category: string | null): boolean => category?.toUpperCase() === AUTHENTICATION;

export const isMarketing = (category: string | null): boolean => category?.toUpperCase() === MARKETING;

/** Categories with rules of their own: marketing has opt-outs, a login code needs a phone number. */
export const templateKind = (category: string | null) => ({
  isMarketing: isMarketing(category),
  isAuthentication: isAuthentication(category),
});

interface SplitTemplate {
  header: TextPieces;
  body: TextPieces;
  buttons: (ButtonNeed & { variable: string })[];
}

function findComponent<T extends z.ZodType>(
  { components }: Pick<Description, "components">,
  shape: T,
): z.output<T> | undefined {
  for (const component of components) {
    const { data } = shape.safeParse(component);
    if (data !== undefined) return data;
  }
  return undefined;
}

/** The provider writes the text of one-time passwords, and tells it with its list; until then this stands for it. */
const ONE_TIME_TEXT = "{{1}} is your verification code.";
const SECURITY_TEXT = " For your security, do not share this code.";

/** The text that is shown of a template: its body. */
export function bodyText(description: Description): string {
  const { text, add_security_recommendation: isSecured } = findComponent(description, body) ?? {};
  if (text !== undefined || description.category !== AUTHENTICATION) return text ?? "";
  return isSecured === true ? ONE_TIME_TEXT + SECURITY_TEXT : ONE_TIME_TEXT;
}

/** The buttons whose values are variables of the template. */
const openButtons = (description: Description): ButtonNeed[] =>
  partNeeds(description).buttons.filter(({ isRequired }) => isRequired);

const BUTTON = "button_";

/** The variable of a button whose template names its variables. */
const buttonVariable = (index: number): string => `${BUTTON}${index + 1}`;

/** True for a name as `buttonVariable` gives it. */
export const isButtonVariable = (name: string): boolean => new RegExp(`^${BUTTON}\\d+$`).test(name);

/**
 * Every part numbers its positions anew, but callers send one list: the body keeps its numbers, then come the header's
 * and the buttons'. The button of a one-time password carries what the body does.
 */
export function splitTemplate(description: Description): SplitTemplate {
  const { parameters, category } = description;
  const text = parseExternal(bodyText(description), parameters);
  const title = parseExternal(findComponent(description, header)?.text ?? "", parameters);
  const isOneTime = category === AUTHENTICATION;
  if (parameters === "named") {
    const named = openButtons(description).map((each) => ({ ...each, variable: buttonVariable(each.index) }));
    return { header: title, body: text, buttons: named };
  }
  const inBody = Math.max(0, ...variablesIn(text).map(Number));
  const inHeader = Math.max(0, ...variablesIn(title).map(Number));
  const renumbered = title.map((part) =>
    typeof part === "string" ? part : { ...part, name: String(inBody + Number(part.name)) },
  );
  const numbered = openButtons(description).map((each, at) => ({
    ...each,
    variable: isOneTime && inBody > 0 ? "1" : String(inBody + inHeader + at + 1),
  }));
  return { header: renumbered, body: text, buttons: numbered };
}

/** The names of the values it wants, in the order of a list of them. */
export function externalVariables(description: Description): string[] {
  const parts = splitTemplate(description);
  const names = [parts.body, parts.header].flatMap(variablesIn);
  return [...new Set([...names, ...parts.buttons.map(({ variable }) => variable)])];
}

/** True where its header is a text with a variable. */
export const hasTextVariable = ({ components }: Pick<Description, "components">): boolean =>
  variablesIn(parseExternal(findComponent({ components }, header)?.text ?? "", "positional")).length > 0 ||
  variablesIn(parseExternal(findComponent({ components }, header)?.text ?? "", "named")).length > 0;

/** Values that were sent for parts of their own rather than as variables. */
export interface PartTexts {
  /** Of the header's variable. */
  header: string | null;
  /** By the button's index. */
  buttons: ReadonlyMap<number, string>;
}

/** Fills a template in: its text, and the values in the parts where the provider takes them. */
export function fillExternal(
  description: Description,
  valueOf: (name: string) => string | null | undefined,
  sent: PartTexts = { header: null, buttons: new Map() },
) {
  const parts = splitTemplate(description);
  const [inBody, inHeader] = [variablesIn(parts.body), variablesIn(parts.header)];
  const headerOf = (name: string) => sent.header ?? valueOf(name);
  const missingIn = (names: string[], of: typeof valueOf) =>
    render(
      names.map((name) => ({ name, fallback: null })),
      of,
    ).missing;
  const openButtonNames = parts.buttons.flatMap(({ index, variable }) => (sent.buttons.has(index) ? [] : [variable]));
  const missing = [
    ...missingIn(inBody, valueOf),
    ...missingIn(inHeader, headerOf),
    ...missingIn(openButtonNames, valueOf),
  ];
  const isNamed = description.parameters === "named";
  const values = (names: string[], of: typeof valueOf) =>
    names.map((name) => ({ name: isNamed ? name : null, text: of(name) ?? "" }));
  return {
    text: render(parts.body, valueOf).text,
    missing: [...new Set(missing)],
    form: {
      header: values(inHeader, headerOf),
      body: values(inBody, valueOf),
      buttons: parts.buttons.map(({ index, kind, variable }) => ({
        index,
        kind,
        text: sent.buttons.get(index) ?? valueOf(variable) ?? "",
      })),
    },
  };
}
