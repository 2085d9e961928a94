// Where the columns of a file may go, and where they probably belong. Pure.
import type { CustomFieldRecord } from "../../features/custom-fields/custom-fields.schemas.ts";
import { isEmail } from "../../shared/email.ts";
import { parsePhone } from "../../shared/phone.ts";
import { unguard } from "./contact-csv.ts";

/** Leaves a column out. */
export const NOWHERE = "";
export const CUSTOM = "custom_fields.";

const labels = {
  name: "Name",
  phone: "Phone",
  email: "Email",
  company: "Company",
  address_as: "Addressed as",
  status: "Status",
  lifecycle_stage: "Lifecycle stage",
  source: "Source",
  is_unsubscribed: "Unsubscribed",
  tags: "Tags",
};

/** By their names in files, in English; of the others, the name itself. */
const aliases: Record<keyof typeof labels, string[]> = {
  name: ["full name", "contact name", "display name", "contact", "first name", "last name", "given name", "surname"],
  phone: [
    "phone number",
    "mobile",
    "mobile phone",
    "mobile number",
    "cell",
    "cell phone",
    "telephone",
    "tel",
    "whatsapp",
  ],
  email: ["e mail", "mail", "email address", "e mail address"],
  company: ["company name", "organization", "organisation", "organization name", "account", "account name", "business"],
  address_as: ["salutation", "nickname", "greeting"],
  status: [],
  lifecycle_stage: ["lifecycle", "stage"],
  source: ["lead source", "origin"],
  is_unsubscribed: ["unsubscribed", "opted out", "opt out"],
  tags: ["tag", "labels", "groups"],
};

/** Of these several columns may make one value: first and last name, tags in columns of their own. */
const isJoined = (target: string) => target === "name" || target === "tags";

/** Every place a column may go to, as options of a select. */
export const targetsOf = (fields: readonly CustomFieldRecord[]) => [
  { value: NOWHERE, label: "Leave out" },
  ...Object.entries(labels).map(([value, label]) => ({ value, label })),
  ...fields.map(({ field_key: key, label }) => ({ value: CUSTOM + key, label })),
];

/** What is wrong with a choice of places, or null. */
export function problemOf(mapping: readonly string[], fields: readonly CustomFieldRecord[]): string | null {
  const known = new Map(targetsOf(fields).map(({ value, label }) => [value, label]));
  const used = mapping.filter((target) => target !== NOWHERE);
  if (used.some((target) => !known.has(target)))
    return "A column goes to a custom field that is gone. Choose another place for it.";
  const twice = used.find((target, at) => !isJoined(target) && used.indexOf(target) < at);
  if (twice !== undefined) return `Two columns go to ${known.get(twice)}. Leave one of them out.`;
  if (!used.includes("phone") && !used.includes("email"))
    return "Say which column holds the phone or the email: a contact is known by them.";
  return null;
}

const plain = (text: string) =>
  text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim();

function byHead(head: string, fields: readonly CustomFieldRecord[]): string {
  const name = plain(head);
  if (name === "") return NOWHERE;
  // A field of the workspace goes before another word for a contact's own: exports name columns by their keys.
  const own = Object.keys(aliases).find((target) => plain(target) === name);
  const custom =
    fields.find(({ field_key: key }) => plain(key) === name) ?? fields.find(({ label }) => plain(label) === name);
  const alias = () => Object.entries(aliases).find(([, others]) => others.includes(name))?.[0] ?? NOWHERE;
  return own ?? (custom === undefined ? alias() : CUSTOM + custom.field_key);
}

const isPhone = (cell: string) => /^[+\d\s().\-/]{8,}$/.test(cell) && parsePhone(cell) !== null;

/** Whether most of the cells that hold something are such. */
function mostly(cells: readonly string[], test: (cell: string) => boolean): boolean {
  const filled = cells.map((cell) => unguard(cell.trim())).filter((cell) => cell !== "");
  return filled.length > 0 && filled.filter(test).length >= filled.length * 0.7;
}

function byContent(cells: readonly string[], hasHead: boolean): string {
  if (mostly(cells, isEmail)) return "email";
  // Where a head says something else, ten digits may be anything: there only the plus makes a phone.
  return mostly(cells, (cell) => isPhone(cell) && (!hasHead || cell.startsWith("+"))) ? "phone" : NOWHERE;
}

/** Whether the first row holds names of columns. */
export const looksLikeHeads = ([first = []]: readonly string[][]): boolean =>
  !first.some((cell) => isEmail(cell.trim()) || isPhone(unguard(cell.trim())));

const wholeNames = ["name", "full name", "contact name", "display name", "contact"];

const columnOf = (rows: readonly string[][], at: number) => rows.map((row) => row[at] ?? "");

/**
 * Where each column probably belongs: by its head, else by what is in it; `chosen` are places that a person has given.
 * No place is guessed twice but for names and tags.
 */
export function guess(
  heads: readonly string[],
  rows: readonly string[][],
  fields: readonly CustomFieldRecord[],
  hasHeads: boolean,
  chosen: readonly (string | null)[] = [],
): string[] {
  const width = Math.max(heads.length, ...rows.map((row) => row.length));
  const byHeads = Array.from({ length: width }, (_, at) => (hasHeads ? byHead(heads[at] ?? "", fields) : NOWHERE));
  const isWholeName = (at: number) => byHeads[at] === "name" && wholeNames.includes(plain(heads[at] ?? ""));
  const hasWholeName = byHeads.some((_, at) => isWholeName(at));
  const taken = new Set(chosen);
  const take = (target: string): string => {
    if (target === NOWHERE || (taken.has(target) && !isJoined(target))) return NOWHERE;
    taken.add(target);
    return target;
  };
  const first = byHeads.map((target, at) => {
    const isPartOfName = target === "name" && hasWholeName && !isWholeName(at);
    return chosen[at] ?? (isPartOfName ? NOWHERE : take(target));
  });
  return first.map((target, at) =>
    target === NOWHERE ? (chosen[at] ?? take(byContent(columnOf(rows, at), hasHeads))) : target,
  );
}
