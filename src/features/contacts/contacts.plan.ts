// What an upsert comes to, decided without I/O: matching, conflicts, and what changes on whom.
import { AppError, invalid } from "../../shared/errors.ts";

/** A contact as far as identity goes. */
export interface KnownContact {
  seq: number;
  id: string;
  phoneKey: string | null;
  emailKey: string | null;
  archivedAt: number | null;
  tagNumbers: number[];
  /** Known by a provider's id, with or without phone and email. */
  hasExternalId: boolean;
}

/** What one request wants of a contact. Absent leaves as it is, null clears. */
export interface Wish {
  phone?: { value: string; key: string; isOldSpelling: boolean } | null;
  email?: { value: string; key: string } | null;
  /** Columns by name. */
  set: Record<string, string | null>;
  /** Entries of the columns `folded` and `custom_fields`; null removes. */
  folded: Record<string, string | null>;
  values: Record<string, unknown>;
  /** Keys of tag names. */
  tagKeys: string[];
  replaceTags: boolean;
  isUnsubscribed?: boolean;
}

/** A contact as it will be: known or new, with all that is to change. */
export interface Draft extends Wish {
  id: string;
  known: KnownContact | null;
  restore: boolean;
  touched: boolean;
}

export interface Outcome {
  contactId: string;
  created: boolean;
  updated: boolean;
  restored: boolean;
  matchedBy: "phone" | "email" | null;
}

export const MAX_TAGS = 50;

interface Identity {
  phoneKey: string | null;
  emailKey: string | null;
}

/** Plans upserts one after the other over what is known, so that a row may match an earlier one. */
export class UpsertPlan {
  readonly drafts: Draft[] = [];
  private readonly identities = new Map<Draft, Identity>();
  private readonly active = { phone: new Map<string, Draft>(), email: new Map<string, Draft>() };
  private readonly archived = { phone: new Map<string, Draft>(), email: new Map<string, Draft>() };

  constructor(
    known: KnownContact[],
    /** Numbers of the tags that exist, by key. */
    private readonly tagNumbers: Map<string, number>,
    private readonly newId: () => string,
  ) {
    // Latest archived first, so that of several the latest is found.
    const byArchival = known.toSorted((a, b) => (b.archivedAt ?? 0) - (a.archivedAt ?? 0));
    for (const contact of byArchival) {
      const draft = this.draft(contact.id, contact);
      const side = contact.archivedAt === null ? this.active : this.archived;
      if (contact.phoneKey !== null && !side.phone.has(contact.phoneKey)) side.phone.set(contact.phoneKey, draft);
      if (contact.emailKey !== null && !side.email.has(contact.emailKey)) side.email.set(contact.emailKey, draft);
      this.identities.set(draft, contact);
    }
  }

  /**
   * Applies one upsert. With `update` false a match stays as it is. Throws `conflict`, naming both contacts, and then
   * plans nothing.
   */
  upsert(wish: Wish, update: boolean): Outcome {
    const { draft: match, by } = this.match(wish);
    if (match === null) return this.create(wish);
    if (!update) return { contactId: match.id, created: false, updated: false, restored: false, matchedBy: by };
    const identity = this.nextIdentity(match, wish);
    this.refuseTaken(match, identity);
    this.refuseManyTags(match, wish);
    const restored = match.known !== null && match.known.archivedAt !== null && !match.restore;
    if (restored) match.restore = true;
    merge(match, this.keepSpelling(match, wish));
    this.settle(match, identity);
    return { contactId: match.id, created: false, updated: true, restored, matchedBy: by };
  }

  /** Changes one contact that is known. Throws `conflict` where it is active and would take another's phone or email. */
  update(id: string, wish: Wish): void {
    const draft = this.drafts.find((each) => each.id === id);
    if (draft === undefined) throw new Error(`Contact ${id} was not loaded.`);
    const identity = this.nextIdentity(draft, wish);
    if (identity.phoneKey === null && identity.emailKey === null && draft.known?.hasExternalId !== true)
      throw lastAddress();
    if (draft.known?.archivedAt === null) this.refuseTaken(draft, identity);
    this.refuseManyTags(draft, wish);
    if (isEmpty(wish)) return;
    merge(draft, wish);
    this.settle(draft, identity);
  }

  /** Drafts that something is to change on, in the order of their first row. */
  changes(): { created: Draft[]; updated: (Draft & { known: KnownContact })[] } {
    const touched = this.drafts.filter((draft) => draft.touched);
    return {
      created: touched.filter(({ known }) => known === null),
      updated: touched.flatMap((draft) => (draft.known === null ? [] : [{ ...draft, known: draft.known }])),
    };
  }

  private draft(id: string, known: KnownContact | null): Draft {
    const draft = {
      id,
      known,
      restore: false,
      touched: false,
      set: {},
      folded: {},
      values: {},
      tagKeys: [],
      replaceTags: false,
    };
    this.drafts.push(draft);
    return draft;
  }

  private match({ phone, email }: Wish): { draft: Draft | null; by: "phone" | "email" | null } {
    for (const side of [this.active, this.archived]) {
      const byPhone = phone ? side.phone.get(phone.key) : undefined;
      if (byPhone !== undefined) return { draft: byPhone, by: "phone" };
      const byEmail = email ? side.email.get(email.key) : undefined;
      if (byEmail !== undefined) return { draft: byEmail, by: "email" };
    }
    return { draft: null, by: null };
  }

  private create(wish: Wish): Outcome {
    this.refuseManyTags(null, wish);
    const draft = this.draft(this.newId(), null);
    merge(draft, wish);
    this.settle(draft, { phoneKey: wish.phone?.key ?? null, emailKey: wish.email?.key ?? null });
    return { contactId: draft.id, created: true, updated: false, restored: false, matchedBy: null };
  }

  private nextIdentity(draft: Draft, { phone, email }: Wish): Identity {
    const now = this.identities.get(draft) ?? { phoneKey: null, emailKey: null };
    return {
      phoneKey: phone === undefined ? now.phoneKey : (phone?.key ?? null),
      emailKey: email === undefined ? now.emailKey : (email?.key ?? null),
    };
  }

  /** An old spelling of the number that a contact has only finds it: the number may be stored in the newer one. */
  private keepSpelling(draft: Draft, { phone, ...others }: Wish): Wish {
    if (phone === undefined) return others;
    const isHeld = phone !== null && this.identities.get(draft)?.phoneKey === phone.key;
    return isHeld && phone.isOldSpelling ? others : { ...others, phone };
  }

  private refuseTaken(match: Draft, { phoneKey, emailKey }: Identity): void {
    for (const [field, holder] of [
      ["phone", phoneKey === null ? undefined : this.active.phone.get(phoneKey)],
      ["email", emailKey === null ? undefined : this.active.email.get(emailKey)],
    ] as const) {
      if (holder !== undefined && holder !== match) throw taken(field, holder.id, match.id);
    }
  }

  private refuseManyTags(draft: Draft | null, { tagKeys, replaceTags }: Wish): void {
    const keys = [...(replaceTags ? [] : (draft?.tagKeys ?? [])), ...tagKeys];
    const kept = replaceTags || draft?.replaceTags ? [] : (draft?.known?.tagNumbers ?? []);
    if (new Set([...kept, ...keys.map((key) => this.tagNumbers.get(key) ?? key)]).size > MAX_TAGS) throw tooManyTags();
  }

  private settle(draft: Draft, identity: Identity): void {
    draft.touched = true;
    const { phoneKey, emailKey } = this.identities.get(draft) ?? { phoneKey: null, emailKey: null };
    for (const side of [this.active, this.archived]) {
      if (phoneKey !== null && side.phone.get(phoneKey) === draft) side.phone.delete(phoneKey);
      if (emailKey !== null && side.email.get(emailKey) === draft) side.email.delete(emailKey);
    }
    this.identities.set(draft, identity);
    if (identity.phoneKey !== null) this.active.phone.set(identity.phoneKey, draft);
    if (identity.emailKey !== null) this.active.email.set(identity.emailKey, draft);
  }
}

/** The refusal of a phone or email that another active contact has. */
export const taken = (field: "phone" | "email", contactId: string, matchedContactId: string): AppError =>
  new AppError("conflict", `Another active contact has this ${field}.`, {
    field,
    contact_id: contactId,
    matched_contact_id: matchedContactId,
  });

const lastAddress = (): AppError =>
  invalid({ path: "phone", code: "required", message: "A contact keeps a phone, an email or an external id." });

const tooManyTags = (): AppError =>
  invalid({ path: "tags", code: "too_big", message: `At most ${MAX_TAGS} tags a contact.` });

const isEmpty = ({ phone, email, set, values, replaceTags, isUnsubscribed }: Wish): boolean =>
  [phone, email, isUnsubscribed].every((each) => each === undefined) &&
  !replaceTags &&
  [set, values].every((entries) => Object.keys(entries).length === 0);

function merge(draft: Draft, wish: Wish): void {
  if (wish.phone !== undefined) draft.phone = wish.phone;
  if (wish.email !== undefined) draft.email = wish.email;
  if (wish.isUnsubscribed !== undefined) draft.isUnsubscribed = wish.isUnsubscribed;
  draft.set = { ...draft.set, ...wish.set };
  draft.folded = { ...draft.folded, ...wish.folded };
  draft.values = { ...draft.values, ...wish.values };
  draft.tagKeys = [...new Set([...(wish.replaceTags ? [] : draft.tagKeys), ...wish.tagKeys])];
  draft.replaceTags ||= wish.replaceTags;
}
