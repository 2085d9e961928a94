import { AppError } from "../../shared/errors.ts";
import { isButtonVariable, type ParsedTemplate } from "./model/parse-template.ts";
import type { TemplateRecord } from "./templates.schemas.ts";

/** `channel` is undefined for a deleted connection. We do not check this here, because each send does. */
interface SendingConnection {
  id: string;
  channel: "official" | "unofficial" | undefined;
}

export const fitsConnection = (
  { source, connection_id }: Pick<TemplateRecord, "source" | "connection_id">,
  { id, channel }: SendingConnection,
): boolean => (source === "local" ? channel !== "official" : connection_id === id);

const otherWords = new Map([
  ["image", "picture"],
  ["location", "place"],
  ["mpm", "multi-product"],
  ["spm", "product"],
]);

const withArticle = (name: string): string => {
  const words = otherWords.get(name) ?? name.replaceAll("_", " ");
  return `${/^[aeiou]/.test(words) ? "an" : "a"} ${words}`;
};

function describePart(part: string): string {
  const [field = "", ...rest] = part.split(".");
  if (field === "cards") return `${describePart(rest.slice(1).join("."))} of card ${Number(rest[0]) + 1}`;
  if (field === "header") return `${withArticle(rest.join("."))} in its header`;
  if (field === "body") return `the variable ${rest.join(".")}`;
  if (field !== "buttons") return withArticle(part);
  return rest[1] === undefined
    ? `a value for button ${Number(rest[0]) + 1}`
    : `a value for ${withArticle(rest[1])} button`;
}

export const describeMissing = (parts: readonly string[]): string =>
  new Intl.ListFormat("en", { type: "conjunction" }).format(parts.map(describePart));

export function findUnsupportedFault({ unsupported }: ParsedTemplate): AppError | null {
  if (unsupported.length === 0) return null;
  const message = `This template requires ${describeMissing(unsupported)}, which Tidings does not support yet. Use another template.`;
  return new AppError("channel_mismatch", message, { missing: unsupported });
}

const MISFITS = {
  local: "A local template requires an unofficial connection. Use an unofficial connection, or an external template.",
  external: "An external template requires the connection that it belongs to. Use a key of that connection.",
};

export function findTemplateFault(
  template: Pick<TemplateRecord, "status" | "source" | "connection_id">,
  parsed: ParsedTemplate,
  connection: SendingConnection,
): AppError | null {
  const { status, source } = template;
  if (status !== "APPROVED") {
    const message = "The provider has not approved this template. If that has changed, sync the connection.";
    return new AppError("template_not_approved", message, { status });
  }
  if (!fitsConnection(template, connection)) return new AppError("channel_mismatch", MISFITS[source]);
  return findUnsupportedFault(parsed);
}

const PART = /^(?:header|buttons|cards)\./;

function fieldOf(name: string): string {
  if (PART.test(name)) return name.split(".")[0] ?? "";
  return isButtonVariable(name) ? "variables (or buttons)" : "variables";
}

const MAX_NAMED = 5;

const inWords = (names: readonly string[]) => new Intl.ListFormat("en").format(names);

export function missingVariablesError(variables: string[], example = ""): AppError {
  const [noun, object] = variables.length === 1 ? ["value", "it"] : ["values", "them"];
  const more = variables.length > MAX_NAMED ? ` (and ${variables.length - MAX_NAMED} more)` : "";
  const names = inWords(variables.slice(0, MAX_NAMED)) + more;
  const fields = inWords([...new Set(variables.map(fieldOf))]) + example;
  const message = `Missing ${noun}: ${names}. Send ${object} in ${fields}.`;
  return new AppError("missing_variable", message, { variables });
}
