import { fold } from "../../shared/folding.ts";
import { foldedField, sourceToken } from "./contacts.folding.ts";
import type { Wish } from "./contacts.plan.ts";
import { isOldSpelling, phoneKey } from "../../shared/phone.ts";

/** What a caller sends of a contact, validated; absent leaves as it is, null clears. */
export interface ContactInput {
  phone?: string | null | undefined;
  email?: string | null | undefined;
  name?: string | null | undefined;
  company?: string | null | undefined;
  status?: string | null | undefined;
  lifecycle_stage?: string | null | undefined;
  source?: string | null | undefined;
  address_as?: string | null | undefined;
  tags?: string[] | undefined;
  is_unsubscribed?: boolean | undefined;
  /** Field number to value. */
  values?: Record<string, unknown>;
}

/** Emails are the same whatever their case. */
export const emailKey = (email: string): string => email.normalize("NFC").toLowerCase();

const sent = (input: ContactInput, names: (keyof ContactInput)[]) =>
  names.flatMap((name) => {
    const value = input[name];
    return typeof value === "string" || value === null ? [[name, value] as const] : [];
  });

const foldedText = (name: string, value: string | null) => ({ [name]: value === null ? null : fold(value) });

function foldedValues(values: Record<string, unknown>): Record<string, string | null> {
  const entries = Object.entries(values).map(
    ([number, value]) => [`f${number}`, typeof value === "string" ? fold(value) : null] as const,
  );
  return Object.fromEntries(entries);
}

/** The columns that a folded text or token stands for; also used where a contact is made without a request for it. */
export function foldedOf(input: ContactInput): Record<string, string | null> {
  const { source } = input;
  return {
    ...Object.assign({}, ...sent(input, ["name", "email", "company"]).map(([name, value]) => foldedField(name, value))),
    ...Object.assign({}, ...sent(input, ["address_as"]).map(([name, value]) => foldedText(name, value))),
    ...(source !== undefined && { source: fold(source ?? "api"), source_token: sourceToken(source ?? "api") }),
    ...foldedValues(input.values ?? {}),
  };
}

const wishedPhone = (phone: string) => ({
  value: phone,
  key: phoneKey(phone),
  isOldSpelling: isOldSpelling(phone),
});

/** Turns what was sent into what the plan works on. */
export function wishOf(
  input: ContactInput,
  { tagKeys, replaceTags }: { tagKeys: string[]; replaceTags: boolean },
): Wish {
  const { phone, email, tags, values = {}, is_unsubscribed } = input;
  return {
    ...(phone !== undefined && { phone: phone === null ? null : wishedPhone(phone) }),
    ...(email !== undefined && { email: email === null ? null : { value: email, key: emailKey(email) } }),
    set: Object.fromEntries(sent(input, ["name", "company", "status", "lifecycle_stage", "source", "address_as"])),
    folded: foldedOf(input),
    values,
    tagKeys,
    replaceTags: replaceTags && tags !== undefined,
    ...(is_unsubscribed !== undefined && { isUnsubscribed: is_unsubscribed }),
  };
}
