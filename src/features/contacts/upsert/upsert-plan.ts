import { type AppError, invalid } from "../../../shared/errors.ts";
import { phoneKey as toPhoneKey } from "../../../shared/text/phone.ts";
import { findContactConflict } from "../contacts.conflicts.ts";
import { type ContactPatch, isEmptyPatch, mergePatch } from "../contacts.patch.ts";

export interface ExistingContact {
  /** Null if the plan is made before the contact is read. */
  seq: number | null;
  id: string;
  phoneKey: string | null;
  emailKey: string | null;
  archivedAt: number | null;
  tagNumbers: number[];
  /** True if a provider's id is stored for the contact. It can be reached without phone and email. */
  hasExternalId: boolean;
}

export interface PlannedContact extends ContactPatch {
  id: string;
  existing: ExistingContact | null;
  restore: boolean;
  isChanged: boolean;
}

export interface UpsertResult {
  contactId: string;
  created: boolean;
  updated: boolean;
  restored: boolean;
  matchedBy: "phone" | "email" | null;
}

export const MAX_TAGS = 50;

interface IdentityKeys {
  phoneKey: string | null;
  emailKey: string | null;
}

const NO_KEYS: IdentityKeys = { phoneKey: null, emailKey: null };

/** True if an earlier version stored another key for this number. */
const hasFormerKey = ({ phoneKey }: ExistingContact): boolean => phoneKey !== null && toPhoneKey(phoneKey) !== phoneKey;

export class UpsertPlan {
  private readonly contacts: PlannedContact[] = [];
  private readonly keys = new Map<PlannedContact, IdentityKeys>();
  private readonly active = { phone: new Map<string, PlannedContact>(), email: new Map<string, PlannedContact>() };
  private readonly archived = { phone: new Map<string, PlannedContact>(), email: new Map<string, PlannedContact>() };

  constructor(
    existing: ExistingContact[],
    private readonly tagNumbers: Map<string, number>,
    private readonly newId: () => string,
  ) {
    // For each key, only the first contact can be matched. Contacts with keys from earlier versions come last, and
    // among archived contacts, the one that was archived last comes first.
    const inOrder = existing.toSorted(
      (a, b) => Number(hasFormerKey(a)) - Number(hasFormerKey(b)) || (b.archivedAt ?? 0) - (a.archivedAt ?? 0),
    );
    for (const contact of inOrder) {
      const planned = this.add(contact.id, contact);
      const side = contact.archivedAt === null ? this.active : this.archived;
      const { emailKey } = contact;
      const key = contact.phoneKey === null ? null : toPhoneKey(contact.phoneKey);
      if (key !== null && !side.phone.has(key)) side.phone.set(key, planned);
      if (emailKey !== null && !side.email.has(emailKey)) side.email.set(emailKey, planned);
      this.keys.set(planned, { phoneKey: key, emailKey });
    }
  }

  /**
   * Throws `conflict`, with both contacts, if phone and email belong to two contacts. The plan then stays unchanged.
   */
  upsert(patch: ContactPatch, update: boolean): UpsertResult {
    const { contact, by } = this.match(patch);
    if (contact === null) return this.create(patch);
    if (!update) return { contactId: contact.id, created: false, updated: false, restored: false, matchedBy: by };
    const keys = this.keysAfter(contact, patch);
    this.assertNoConflict(contact, keys);
    this.assertTagLimit(contact, patch);
    const restored = contact.existing !== null && contact.existing.archivedAt !== null && !contact.restore;
    if (restored) contact.restore = true;
    mergePatch(contact, this.keepSpelling(contact, patch));
    this.change(contact, keys);
    return { contactId: contact.id, created: false, updated: true, restored, matchedBy: by };
  }

  /** Throws `conflict` if this contact is active and another contact has its phone or email. */
  update(id: string, patch: ContactPatch): void {
    const contact = this.contacts.find((each) => each.id === id);
    if (contact === undefined) throw new Error(`Contact ${id} was not loaded.`);
    const keys = this.keysAfter(contact, patch);
    if (keys.phoneKey === null && keys.emailKey === null && contact.existing?.hasExternalId !== true)
      throw lastAddress();
    if (contact.existing?.archivedAt === null) this.assertNoConflict(contact, keys);
    this.assertTagLimit(contact, patch);
    if (isEmptyPatch(patch)) return;
    mergePatch(contact, patch);
    this.change(contact, keys);
  }

  changes(): { created: PlannedContact[]; updated: (PlannedContact & { existing: ExistingContact })[] } {
    const changed = this.contacts.filter(({ isChanged }) => isChanged);
    return {
      created: changed.filter(({ existing }) => existing === null),
      updated: changed.flatMap((contact) =>
        contact.existing === null ? [] : [{ ...contact, existing: contact.existing }],
      ),
    };
  }

  private add(id: string, existing: ExistingContact | null): PlannedContact {
    const contact = {
      id,
      existing,
      restore: false,
      isChanged: false,
      set: {},
      folded: {},
      values: {},
      tagKeys: [],
      replaceTags: false,
    };
    this.contacts.push(contact);
    return contact;
  }

  private match({ phone, email }: ContactPatch): { contact: PlannedContact | null; by: "phone" | "email" | null } {
    for (const side of [this.active, this.archived]) {
      const byPhone = phone ? side.phone.get(phone.key) : undefined;
      if (byPhone !== undefined) return { contact: byPhone, by: "phone" };
      const byEmail = email ? side.email.get(email.key) : undefined;
      if (byEmail !== undefined) return { contact: byEmail, by: "email" };
    }
    return { contact: null, by: null };
  }

  private create(patch: ContactPatch): UpsertResult {
    this.assertTagLimit(null, patch);
    const contact = this.add(this.newId(), null);
    mergePatch(contact, patch);
    this.change(contact, this.keysAfter(contact, patch));
    return { contactId: contact.id, created: true, updated: false, restored: false, matchedBy: null };
  }

  private keysAfter(contact: PlannedContact, { phone, email }: ContactPatch): IdentityKeys {
    const now = this.keys.get(contact) ?? NO_KEYS;
    return {
      phoneKey: phone === undefined ? now.phoneKey : (phone?.key ?? null),
      emailKey: email === undefined ? now.emailKey : (email?.key ?? null),
    };
  }

  /**
   * Removes the phone from the patch if it is the contact's own number in an old spelling. Otherwise it could replace
   * a newer spelling that is already stored.
   */
  private keepSpelling(contact: PlannedContact, { phone, ...others }: ContactPatch): ContactPatch {
    if (phone === undefined) return others;
    const isSame = phone !== null && this.keys.get(contact)?.phoneKey === phone.key;
    return isSame && phone.isOldSpelling ? others : { ...others, phone };
  }

  private assertNoConflict(contact: PlannedContact, { phoneKey: phone, emailKey: email }: IdentityKeys): void {
    const conflict = findContactConflict(contact.id, {
      phoneHolderId: phone === null ? null : (this.active.phone.get(phone)?.id ?? null),
      emailHolderId: email === null ? null : (this.active.email.get(email)?.id ?? null),
    });
    if (conflict !== null) throw conflict;
  }

  private assertTagLimit(contact: PlannedContact | null, { tagKeys, replaceTags }: ContactPatch): void {
    const keys = [...(replaceTags ? [] : (contact?.tagKeys ?? [])), ...tagKeys];
    const kept = replaceTags || contact?.replaceTags ? [] : (contact?.existing?.tagNumbers ?? []);
    if (new Set([...kept, ...keys.map((key) => this.tagNumbers.get(key) ?? key)]).size > MAX_TAGS) throw tooManyTags();
  }

  private change(contact: PlannedContact, keys: IdentityKeys): void {
    contact.isChanged = true;
    const { phoneKey: phone, emailKey: email } = this.keys.get(contact) ?? NO_KEYS;
    for (const side of [this.active, this.archived]) {
      if (phone !== null && side.phone.get(phone) === contact) side.phone.delete(phone);
      if (email !== null && side.email.get(email) === contact) side.email.delete(email);
    }
    this.keys.set(contact, keys);
    if (keys.phoneKey !== null) this.active.phone.set(keys.phoneKey, contact);
    if (keys.emailKey !== null) this.active.email.set(keys.emailKey, contact);
  }
}

const lastAddress = (): AppError =>
  invalid({ path: "phone", code: "required", message: "A contact requires a phone, an email or an external id." });

const tooManyTags = (): AppError =>
  invalid({ path: "tags", code: "too_big", message: `Must have at most ${MAX_TAGS} tags.` });
