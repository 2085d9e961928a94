// Writes and reads contact cards as vCards of version 3.0 (RFC 2426). The parameter `waid` of a phone number is
// WhatsApp's own addition to this format and contains the number's WhatsApp id.
import * as z from "zod";
import type { ContactCard } from "../content.ts";
import { nonEmpty, storable } from "../provider-input.ts";

const escapes = new Map([
  ["\\", "\\\\"],
  [";", "\\;"],
  [",", "\\,"],
  ["\n", "\\n"],
]);

const escaped = (text: string): string =>
  text.replace(/\r\n?/g, "\n").replace(/[\\;,\n]/g, (character) => escapes.get(character) ?? character);

type Address = NonNullable<ContactCard["addresses"]>[number];

const typed = (type: string | undefined): string => {
  const name = (type ?? "").replace(/[^A-Za-z0-9-]/g, "");
  return name === "" ? "" : `;type=${name.toUpperCase()}`;
};

/** Adds `waid` only to numbers in international form, because WhatsApp offers to start a chat only for those. */
function phoneLine({ phone, type, wa_id }: ContactCard["phones"][number]): string {
  const digits = wa_id ?? (phone.trim().startsWith("+") ? phone.replace(/\D/g, "") : "");
  return `TEL${typed(type)}${digits === "" ? "" : `;waid=${digits}`}:${escaped(phone)}`;
}

/**
 * The first two parts stay empty: a vCard address starts with a post box and an extension, which our contact
 * cards do not have.
 */
function addressLine({ type, street, city, state, zip, country, country_code }: Address): string {
  const parts = ["", "", street, city, state, zip, country ?? country_code];
  return `ADR${typed(type)}:${parts.map((part) => escaped(part ?? "")).join(";")}`;
}

export function vCardOf({ name, phones, emails = [], org, addresses = [], urls = [], birthday }: ContactCard): string {
  const names = [name.last_name ?? "", name.first_name ?? (name.last_name === undefined ? name.formatted_name : "")];
  const lines = [
    "BEGIN:VCARD",
    "VERSION:3.0",
    `N:${names.map(escaped).join(";")};;;`,
    `FN:${escaped(name.formatted_name)}`,
    ...(org?.company || org?.department ? [`ORG:${escaped(org.company ?? "")};${escaped(org.department ?? "")}`] : []),
    ...(org?.title ? [`TITLE:${escaped(org.title)}`] : []),
    ...phones.map(phoneLine),
    ...emails.map(({ email, type }) => `EMAIL${typed(type)}:${escaped(email)}`),
    ...addresses.map(addressLine),
    ...urls.map(({ url, type }) => `URL${typed(type)}:${escaped(url)}`),
    ...(birthday ? [`BDAY:${escaped(birthday)}`] : []),
    "END:VCARD",
  ];
  return lines.join("\n");
}

const vCard = z.union([z.string(), z.object({ vcard: z.string() }).transform((card) => card.vcard)]);

const MAX_VALUE = 300;
const MAX_LINES = 200;

const unescaped = (text: string): string =>
  text.replace(/\\(.)/g, (_, character: string) => (/n/i.test(character) ? "\n" : character));

const kept = (text: string | undefined): string =>
  storable(unescaped(text ?? "").trim())
    .slice(0, MAX_VALUE)
    .toWellFormed();

const splitValue = (value: string): string[] => value.split(/(?<!\\);/);

interface Line {
  field: string;
  type: string | undefined;
  waid: string | undefined;
  value: string;
}

/**
 * Reads a line such as `item1.TEL;type=CELL;waid=1555:+1 555`. Leaves out the group name `item1`, and does not
 * support parameters in quotes.
 */
function readLine(line: string): Line | null {
  const found = /^(?:[\w-]+\.)?(?<field>[A-Za-z-]+)(?<parameters>(?:;[^:]*)?):(?<value>.*)$/.exec(line)?.groups;
  if (found === undefined) return null;
  const parameters = (found["parameters"] ?? "").split(";").map((parameter) => parameter.split("="));
  const valueOf = (name: string) =>
    parameters.find(([key, value]) => key?.toLowerCase() === name && value !== undefined)?.[1];
  const type = valueOf("type")?.split(",")[0] ?? parameters.find(([key, value]) => key && value === undefined)?.[0];
  return {
    field: (found["field"] ?? "").toUpperCase(),
    type: type === undefined ? undefined : kept(type).toUpperCase(),
    waid: valueOf("waid"),
    value: found["value"] ?? "",
  };
}

function readAddress(value: string, type: string | undefined) {
  const [, , street, city, state, zip, country] = splitValue(value).map(kept);
  const address = nonEmpty({ street, city, state, zip, country });
  return Object.keys(address).length === 0 ? [] : [{ ...address, ...nonEmpty({ type }) }];
}

export function cardOf(raw: unknown): Pick<ContactCard, "name" | "phones"> | null {
  const text = vCard.safeParse(raw).data ?? "";
  const lines = text
    .replace(/\r?\n[ \t]/g, "")
    .split(/\r?\n/, MAX_LINES)
    .flatMap((line) => readLine(line) ?? []);
  const all = (field: string) => lines.filter((line) => line.field === field && line.value.trim() !== "");
  const [last_name, first_name] = splitValue(all("N")[0]?.value ?? "").map(kept);
  const phones = all("TEL").map(({ value, type, waid }) => ({
    phone: kept(value.replace(/^tel:/i, "")) || `+${kept(waid)}`,
    ...(type && { type }),
    ...(waid && { wa_id: kept(waid) }),
  }));
  const addresses = all("ADR").flatMap(({ value, type }) => readAddress(value, type));
  const urls = all("URL").map(({ value, type }) => ({ url: kept(value), ...(type && { type }) }));
  const emails = all("EMAIL").map(({ value, type }) => ({ email: kept(value), ...(type && { type }) }));
  const [company, department] = splitValue(all("ORG")[0]?.value ?? "").map(kept);
  const org = nonEmpty({ company, department, title: kept(all("TITLE")[0]?.value) });
  const formatted_name = kept(all("FN")[0]?.value) || [first_name, last_name].filter(Boolean).join(" ");
  if (formatted_name === "" && phones.length === 0 && emails.length === 0) return null;
  const some = <Entry>(list: Entry[]) => (list.length > 0 ? list : null);
  return {
    name: { formatted_name, ...nonEmpty({ first_name, last_name }) },
    phones,
    ...nonEmpty({
      emails: some(emails),
      org: Object.keys(org).length > 0 ? org : null,
      addresses: some(addresses),
      urls: some(urls),
      birthday: kept(all("BDAY")[0]?.value),
    }),
  };
}
