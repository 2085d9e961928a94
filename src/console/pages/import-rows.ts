// Makes contacts of a file's rows, for the API's own schema to judge. Pure.
import { judgeRow } from "../../features/contacts/contacts.schemas.ts";
import type { CustomFieldRecord } from "../../features/custom-fields/custom-fields.schemas.ts";
import { checkValues } from "../../features/custom-fields/custom-fields.values.ts";
import { invalid } from "../../shared/errors.ts";
import { faultList, type Told } from "../kit/faults.ts";
import { splitList, unguard } from "./contact-csv.ts";
import { CUSTOM, NOWHERE } from "./import-columns.ts";
import { hasOwn } from "../../shared/own.ts";

export interface Plan {
  /** A place for each column. */
  mapping: readonly string[];
  fields: readonly CustomFieldRecord[];
  /** A tag for every contact of the file, or empty. */
  tag: string;
}

const yes = new Set(["true", "yes", "y", "1"]);
const no = new Set(["false", "no", "n", "0"]);

/** Text stays where it is neither, so that the schema says what is expected. */
function readYesNo(text: string): boolean | string {
  const word = text.toLowerCase();
  return yes.has(word) ? true : no.has(word) ? false : text;
}

const sameOption = (options: readonly string[], text: string) =>
  options.find((option) => option.toLowerCase() === text.toLowerCase()) ?? text;

function readCustom({ type, options }: CustomFieldRecord, text: string): unknown {
  switch (type) {
    case "number":
      return Number.isNaN(Number(text)) ? text : Number(text);
    case "boolean":
      return readYesNo(text);
    case "select":
      return sameOption(options, text);
    case "multi_select":
      return splitList(text).map((item) => sameOption(options, item));
    case "text":
    case "date":
    case "datetime":
    case "country":
    case "url":
    case "email":
    case "phone":
      return text;
  }
}

/** Empty cells are left out, so that they leave values alone; an opt-out is taken over, never taken back. */
function bodyOf(row: readonly string[], { mapping, fields, tag }: Plan): Record<string, unknown> {
  const body = new Map<string, unknown>();
  const names: string[] = [];
  const tags = tag === "" ? [] : [tag];
  const custom = new Map<string, unknown>();
  for (const [at, target] of mapping.entries()) {
    const text = unguard((row[at] ?? "").trim()).trim();
    if (text === "" || target === NOWHERE) continue;
    const field = fields.find(({ field_key: key }) => CUSTOM + key === target);
    if (field !== undefined) custom.set(field.field_key, readCustom(field, text));
    else if (target === "name") names.push(text);
    else if (target === "tags") tags.push(...splitList(text));
    else if (target === "status" || target === "lifecycle_stage") body.set(target, text.toLowerCase());
    else if (target !== "is_unsubscribed") body.set(target, text);
    else if (readYesNo(text) !== false) body.set(target, readYesNo(text));
  }
  return {
    ...Object.fromEntries(body),
    ...(names.length > 0 && { name: names.join(" ") }),
    ...(tags.length > 0 && { tags }),
    ...(custom.size > 0 && { custom_fields: Object.fromEntries(custom) }),
  };
}

/** A row as the service for batches takes it. */
export const readRow = (row: readonly string[], plan: Plan) => judgeRow(bodyOf(row, plan));

/** Why a row is refused, in a line. */
export function reasonOf(error: Told): string {
  const faults = faultList(error);
  if (faults.length === 0 || error.code === "conflict") return error.message;
  return faults.map(({ path, message }) => `${path.replace(CUSTOM, "")}: ${message}`).join(" ");
}

/** What a row would store, or why it would be refused. Who has the phone already is not looked up. */
export function previewRow(row: readonly string[], plan: Plan): { stored: Map<string, unknown> } | { reason: string } {
  const judged = readRow(row, plan);
  if (hasOwn(judged, "error")) return { reason: reasonOf(judged.error) };
  const { custom_fields: custom = {}, ...own } = judged.input;
  const definitions = plan.fields.map(({ field_key: key, removed_options: removed, ...field }) => ({
    ...field,
    key,
    removed,
  }));
  const { values, faults } = checkValues(definitions, custom);
  if (faults.length > 0) return { reason: reasonOf(invalid(faults)) };
  const stored = new Map<string, unknown>(Object.entries(own));
  for (const { field_key: key, number } of plan.fields) stored.set(CUSTOM + key, values[String(number)]);
  return { stored };
}
