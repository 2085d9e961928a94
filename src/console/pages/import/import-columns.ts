import { contactFieldNames, contactFields } from "../../../features/contacts/contact-fields.schemas.ts";
import type { CustomFieldRecord } from "../../../features/custom-fields/custom-fields.schemas.ts";
import { isEmail } from "../../../shared/text/email.ts";
import { fold } from "../../../shared/text/folding.ts";
import { parsePhoneIn } from "../../../shared/text/phone.ts";
import { unguardCell } from "../../../shared/text/csv.ts";

export const LEFT_OUT = "";
export const CUSTOM_FIELD_PREFIX = "custom_fields.";

const labels: Record<string, string> = {
  ...Object.fromEntries(contactFieldNames.map((name) => [name, contactFields[name].label])),
  is_unsubscribed: "Unsubscribed",
  tags: "Tags",
};

const splitAliases = (...lists: string[]): string[] => lists.flatMap((list) => list.split(", "));

/**
 * A column with one of these headers usually contains the full name. But in a file that also has a column
 * "vorname" (first name), the column "name" can contain only the last name.
 */
const openNames = splitAliases("name, nom, nombre, nome");

const wholeNames = splitAliases(
  "full name, contact name, display name, contact",
  "vollstandiger name, vorname name, vorname nachname, vor und nachname, ansprechpartner",
  "nom complet, prenom nom, nombre completo, nombre y apellidos, nome completo, nome e cognome",
);

const partNames = splitAliases(
  "first name, given name, last name, surname, family name",
  "vorname, nachname, familienname, prenom, nom de famille",
  "primer nombre, apellido, apellidos, primeiro nome, sobrenome, apelido, cognome",
);

const aliases: Record<string, string[]> = {
  name: [...openNames, ...wholeNames, ...partNames],
  phone: splitAliases(
    "phone number, mobile, mobile phone, mobile number, cell, cell phone, telephone, tel, whatsapp",
    "telefon, telefonnummer, handy, handynummer, mobil, mobilnummer, mobiltelefon, mobile nummer, rufnummer",
    "portable, numero de telephone, telefono, numero de telefono, movil, telefono movil, celular",
    "telefone, numero de telefone, telemovel, cellulare, numero di telefono",
  ),
  email: splitAliases(
    "e mail, mail, email address, e mail address, e mail adresse, email adresse, mailadresse",
    "adresse e mail, adresse email, adresse mail, courriel, correo, correo electronico",
    "endereco de email, indirizzo email, posta elettronica",
  ),
  company: splitAliases(
    "company name, organization, organisation, organization name, account, account name, business",
    "firma, firmenname, unternehmen, entreprise, societe, empresa, azienda, societa, ditta",
  ),
  address_as: splitAliases("salutation, nickname, greeting"),
  lifecycle_stage: splitAliases("lifecycle, stage"),
  source: splitAliases("lead source, origin"),
  is_unsubscribed: splitAliases("unsubscribed, opted out, opt out"),
  tags: splitAliases("tag, labels, groups, schlagworte, gruppen, etiquetas, etiquettes, etichette"),
};

/** Several columns can be joined into one value: first and last name, or one column per tag. */
const isJoined = (target: string) => target === "name" || target === "tags";

export const listTargets = (fields: readonly CustomFieldRecord[]) => [
  { value: LEFT_OUT, label: "Leave out" },
  ...Object.entries(labels).map(([value, label]) => ({ value, label })),
  ...fields.map(({ field_key: key, label }) => ({ value: CUSTOM_FIELD_PREFIX + key, label })),
];

export function findMappingProblem(mapping: readonly string[], fields: readonly CustomFieldRecord[]): string | null {
  const targets = new Map(listTargets(fields).map(({ value, label }) => [value, label]));
  const used = mapping.filter((target) => target !== LEFT_OUT);
  if (used.some((target) => !targets.has(target)))
    return "A column maps to a custom field that was deleted. Choose another field for the column.";
  const twice = used.find((target, at) => !isJoined(target) && used.indexOf(target) < at);
  if (twice !== undefined) return `Two columns map to ${targets.get(twice)}. Skip one of them.`;
  if (!used.includes("phone") && !used.includes("email"))
    return "Choose a column for the phone or the email. Each contact needs at least one.";
  return null;
}

const normalise = (text: string) =>
  fold(text)
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim();

function guessByHeader(head: string, fields: readonly CustomFieldRecord[]): string {
  const name = normalise(head);
  if (name === "") return LEFT_OUT;
  // Custom fields come before aliases: our own exports have the keys of custom fields as headers, and a key can
  // equal an alias.
  const own = Object.keys(labels).find((target) => normalise(target) === name);
  const custom =
    fields.find(({ field_key: key }) => normalise(key) === name) ??
    fields.find(({ label }) => normalise(label) === name);
  const alias = () => Object.entries(aliases).find(([, others]) => others.includes(name))?.[0] ?? LEFT_OUT;
  return own ?? (custom === undefined ? alias() : CUSTOM_FIELD_PREFIX + custom.field_key);
}

const isPhone = (cell: string) => /^[+\d\s().\-/]{8,}$/.test(cell) && parsePhoneIn(null, cell) !== null;

function mostly(cells: readonly string[], test: (cell: string) => boolean): boolean {
  const filled = cells.map((cell) => unguardCell(cell.trim())).filter((cell) => cell !== "");
  return filled.length > 0 && filled.filter(test).length >= filled.length * 0.7;
}

function guessByContent(cells: readonly string[], hasHead: boolean): string {
  if (mostly(cells, isEmail)) return "email";
  // If the column has a header, only numbers with a plus are read as phone numbers, because a number with ten
  // digits could also be an order number, for example.
  return mostly(cells, (cell) => isPhone(cell) && (!hasHead || cell.startsWith("+"))) ? "phone" : LEFT_OUT;
}

export const looksLikeHeader = ([first = []]: readonly string[][]): boolean =>
  !first.some((cell) => isEmail(cell.trim()) || isPhone(unguardCell(cell.trim())));

const columnOf = (rows: readonly string[][], at: number) => rows.map((row) => row[at] ?? "");

/** True if most texts in `whole` contain the text of `part` in the same row. */
function repeats(whole: readonly string[], part: readonly string[]): boolean {
  const pairs = part
    .map((text, at) => [normalise(whole[at] ?? ""), normalise(text)] as const)
    .filter(([, text]) => text !== "");
  return pairs.filter(([all, text]) => all.includes(text)).length >= pairs.length * 0.7;
}

/** Finds the columns with full names. If there is one, columns with only a part of the name are skipped. */
function wholeNamesAmong(names: readonly string[], rows: readonly string[][]): boolean[] {
  const parts = names.flatMap((name, at) => (partNames.includes(name) ? [columnOf(rows, at)] : []));
  return names.map((name, at) => {
    if (wholeNames.includes(name)) return true;
    return openNames.includes(name) && parts.every((part) => repeats(columnOf(rows, at), part));
  });
}

/**
 * Guesses the field of each column unless `chosen` contains the user's choice for it. Reads all headers before any
 * cells, because headers are more reliable.
 */
export function guessTargets(
  heads: readonly string[],
  rows: readonly string[][],
  fields: readonly CustomFieldRecord[],
  hasHeads: boolean,
  chosen: readonly (string | null)[] = [],
): string[] {
  const width = Math.max(heads.length, ...rows.map((row) => row.length));
  const byHeads = Array.from({ length: width }, (_, at) =>
    hasHeads ? guessByHeader(heads[at] ?? "", fields) : LEFT_OUT,
  );
  const isWholeName = wholeNamesAmong(
    byHeads.map((target, at) => (target === "name" ? normalise(heads[at] ?? "") : "")),
    rows,
  );
  const taken = new Set(chosen);
  const take = (target: string): string => {
    if (target === LEFT_OUT || (taken.has(target) && !isJoined(target))) return LEFT_OUT;
    taken.add(target);
    return target;
  };
  const first = byHeads.map((target, at) => {
    const isPartOfName = target === "name" && isWholeName.includes(true) && isWholeName[at] !== true;
    return chosen[at] ?? (isPartOfName ? LEFT_OUT : take(target));
  });
  return first.map((target, at) =>
    target === LEFT_OUT ? (chosen[at] ?? take(guessByContent(columnOf(rows, at), hasHeads))) : target,
  );
}
