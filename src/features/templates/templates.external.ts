// A provider's template: its text, and the values it wants to be given. Pure.
// Source: developers.facebook.com/documentation/business-messaging/whatsapp/templates
import * as z from "zod";
import { type Parts, parseExternal, render, variablesIn } from "./templates.render.ts";

const header = z.object({ type: z.literal("HEADER"), format: z.literal("TEXT"), text: z.string() });
const body = z.object({ type: z.literal("BODY"), text: z.string() });
const button = z.object({ type: z.string(), url: z.string().optional() });
const kindOfPart = z.object({ type: z.string(), format: z.string().nullish() });
const buttons = z.object({ type: z.literal("BUTTONS"), buttons: z.array(button) });

/** A template as the provider describes it. */
export interface Description {
  parameters: "positional" | "named";
  category: string | null;
  components: readonly unknown[];
}

/** The category of templates that people can opt out of alone, as providers write it. */
export const MARKETING = "MARKETING";

export const isMarketing = (category: string | null): boolean => category?.toUpperCase() === MARKETING;

interface Button {
  index: number;
  kind: "url" | "copy_code";
}

interface SplitTemplate {
  header: Parts;
  body: Parts;
  buttons: (Button & { variable: string })[];
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

/** The text that is shown of a template: its body. */
export const bodyText = (description: Description): string => findComponent(description, body)?.text ?? "";

/** The buttons that want a value: links that end in a variable, codes to copy, and one-time passwords, which go as links. */
function openButtons(description: Description): Button[] {
  const all = findComponent(description, buttons)?.buttons ?? [];
  return all.flatMap(({ type, url = "" }, index): Button[] => {
    if (type === "COPY_CODE") return [{ index, kind: "copy_code" }];
    if (type === "OTP") return [{ index, kind: "url" }];
    return type === "URL" && url.includes("{{") ? [{ index, kind: "url" }] : [];
  });
}

/** Components and buttons that are sent complete without a value, or with a text. Any other needs what no send can carry. */
const TEXT_COMPONENTS = new Set(["BODY", "FOOTER", "BUTTONS", "CALL_PERMISSION_REQUEST"]);
const TEXT_BUTTONS = new Set(["QUICK_REPLY", "PHONE_NUMBER", "URL", "COPY_CODE", "OTP", "VOICE_CALL"]);

/** Parts of a template that need more than text, like `header.image`, `carousel` or `buttons.0.flow`. */
export function missingParts(description: Pick<Description, "components">): string[] {
  const parts = description.components.flatMap((raw) => kindOfPart.safeParse(raw).data ?? []);
  const inParts = parts.flatMap(({ type, format }) => {
    const kind = (format ?? "TEXT").toLowerCase();
    if (type === "HEADER") return kind === "text" ? [] : [`header.${kind}`];
    return TEXT_COMPONENTS.has(type) ? [] : [type.toLowerCase()];
  });
  const all = findComponent(description, buttons)?.buttons ?? [];
  const inButtons = all.flatMap(({ type }, index) =>
    TEXT_BUTTONS.has(type) ? [] : [`buttons.${index}.${type.toLowerCase()}`],
  );
  return [...inParts, ...inButtons];
}

const withArticle = (name: string): string => {
  const words = name === "mpm" ? "multi-product" : name === "spm" ? "product" : name.replaceAll("_", " ");
  return `${/^[aeiou]/.test(words) ? "an" : "a"} ${words}`;
};

/** Missing parts in words: `an image in its header`. */
export function describeMissing(parts: readonly string[]): string {
  const described = parts.map((part) => {
    const [place = "", ...rest] = part.split(".");
    if (place === "header") return `${withArticle(rest.join("."))} in its header`;
    return place === "buttons" ? `a value for ${withArticle(rest[1] ?? "")} button` : withArticle(part);
  });
  return new Intl.ListFormat("en", { type: "conjunction" }).format(described);
}

/**
 * Every part numbers its positions anew, but callers send one list: the body keeps its numbers, then come the header's
 * and the buttons'. The button of a one-time password carries what the body does.
 */
function splitTemplate(description: Description): SplitTemplate {
  const { parameters, category } = description;
  const text = parseExternal(bodyText(description), parameters);
  const title = parseExternal(findComponent(description, header)?.text ?? "", parameters);
  const isOneTime = category === "AUTHENTICATION";
  if (parameters === "named") {
    const named = openButtons(description).map((each) => ({ ...each, variable: `button_${each.index + 1}` }));
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

/** Fills a template in: its text, and the values in the parts where the provider takes them. */
export function fillExternal(description: Description, valueOf: (name: string) => string | null | undefined) {
  const parts = splitTemplate(description);
  const wanted = externalVariables(description);
  const { missing } = render(
    wanted.map((name) => ({ name, fallback: null })),
    valueOf,
  );
  const isNamed = description.parameters === "named";
  const values = (of: Parts) =>
    variablesIn(of).map((name) => ({ name: isNamed ? name : null, text: valueOf(name) ?? "" }));
  return {
    text: render(parts.body, valueOf).text,
    missing,
    form: {
      header: values(parts.header),
      body: values(parts.body),
      buttons: parts.buttons.map(({ index, kind, variable }) => ({ index, kind, text: valueOf(variable) ?? "" })),
    },
  };
}
