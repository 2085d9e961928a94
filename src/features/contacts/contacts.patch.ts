import { fold } from "../../shared/text/folding.ts";
import { isOldSpelling, phoneKey } from "../../shared/text/phone.ts";
import {
  type ContactField,
  contactDefaults,
  contactFieldNames,
  contactFields,
  plainFieldNames,
} from "./contact-fields.schemas.ts";
import { sourceToken } from "./contacts.facets.ts";
import { foldedField } from "./contacts.folding.ts";

export interface ContactInput extends Partial<Record<ContactField, string | null | undefined>> {
  tags?: string[] | undefined;
  is_unsubscribed?: boolean | undefined;
  values?: Record<string, unknown>;
}

export interface ContactPatch {
  phone?: { value: string; key: string; isOldSpelling: boolean } | null;
  email?: { value: string; key: string } | null;
  set: Record<string, string | null>;
  folded: Record<string, string | null>;
  values: Record<string, unknown>;
  tagKeys: string[];
  replaceTags: boolean;
  isUnsubscribed?: boolean;
}

/** Two emails that differ only in case have the same key. */
export const emailKey = (email: string): string => email.normalize("NFC").toLowerCase();

const pickSent = (input: ContactInput, names: readonly ContactField[]) =>
  names.flatMap((name) => {
    const value = input[name];
    return typeof value === "string" || value === null ? [[name, value] as const] : [];
  });

const foldText = (name: string, value: string | null) => ({ [name]: value === null ? null : fold(value) });

function foldSource(source: string | null) {
  const name = source ?? contactDefaults.source;
  return { source: fold(name), source_token: sourceToken(name) };
}

function foldOwn(name: ContactField, value: string | null): Record<string, string | null> {
  if (name === "source") return foldSource(value);
  return contactFields[name].folded === "searched" ? foldedField(name, value) : foldText(name, value);
}

const foldedFieldNames = contactFieldNames.filter((name) => contactFields[name].folded !== null);

function foldValues(values: Record<string, unknown>): Record<string, string | null> {
  const foldValue = (value: unknown) => (typeof value === "string" ? fold(value) : null);
  return Object.fromEntries(Object.entries(values).map(([number, value]) => [`f${number}`, foldValue(value)]));
}

/** Also used for contacts that a message creates, so that searches find them in the same way. */
export function foldContact(input: ContactInput): Record<string, string | null> {
  const own = pickSent(input, foldedFieldNames).map(([name, value]) => foldOwn(name, value));
  return { ...Object.assign({}, ...own), ...foldValues(input.values ?? {}) };
}

const patchPhone = (phone: string) => ({ value: phone, key: phoneKey(phone), isOldSpelling: isOldSpelling(phone) });

export function toContactPatch(
  input: ContactInput,
  { tagKeys, replaceTags }: { tagKeys: string[]; replaceTags: boolean },
): ContactPatch {
  const { phone, email, tags, values = {}, is_unsubscribed } = input;
  return {
    ...(phone !== undefined && { phone: phone === null ? null : patchPhone(phone) }),
    ...(email !== undefined && { email: email === null ? null : { value: email, key: emailKey(email) } }),
    set: Object.fromEntries(pickSent(input, plainFieldNames)),
    folded: foldContact(input),
    values,
    tagKeys,
    replaceTags: replaceTags && tags !== undefined,
    ...(is_unsubscribed !== undefined && { isUnsubscribed: is_unsubscribed }),
  };
}

export const isEmptyPatch = ({ phone, email, set, values, replaceTags, isUnsubscribed }: ContactPatch): boolean =>
  [phone, email, isUnsubscribed].every((each) => each === undefined) &&
  !replaceTags &&
  [set, values].every((entries) => Object.keys(entries).length === 0);

export function mergePatch(patch: ContactPatch, later: ContactPatch): void {
  if (later.phone !== undefined) patch.phone = later.phone;
  if (later.email !== undefined) patch.email = later.email;
  if (later.isUnsubscribed !== undefined) patch.isUnsubscribed = later.isUnsubscribed;
  patch.set = { ...patch.set, ...later.set };
  patch.folded = { ...patch.folded, ...later.folded };
  patch.values = { ...patch.values, ...later.values };
  patch.tagKeys = [...new Set([...(later.replaceTags ? [] : patch.tagKeys), ...later.tagKeys])];
  patch.replaceTags ||= later.replaceTags;
}
