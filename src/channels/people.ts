// People as providers identify them, and their actions other than messages.
import type { InboundParts } from "./content.ts";

/** At least one of `phone` and `userId` is set. `phone` is E.164. */
export interface Person {
  phone: string | null;
  userId: string | null;
  name: string | null;
  username?: string | null;
  /** Other ids under which the provider may know the person. */
  aliases?: string[];
  /** The provider may return the number behind `userId` on request. */
  isPhoneHidden?: boolean;
}

/** The author edited or deleted a message. */
export interface RevisionEvent {
  type: "revision";
  kind: "edit" | "revoke";
  /** Equal in repeated deliveries. */
  revisionId: string;
  /** Keys under which the message may be stored; one of them is its own. */
  providerKeys: string[];
  /** The author; null for the account itself. */
  by: Person | null;
  /** The other person of the conversation, if the author is the account itself. */
  to?: Person | null;
  /** The new text of the message; null if it was deleted. */
  body: string | null;
  /** The new content, if the message is not only text. */
  parts?: InboundParts | null;
  at: number;
}

/** A person's choice in WhatsApp about marketing messages. */
export interface PreferenceEvent {
  type: "preference";
  from: Person;
  marketing: "stop" | "resume";
  at: number;
}

/** The provider gave a person another number or user id. Each side has at least one of them. */
export interface IdentityEvent {
  type: "identity";
  /** The provider's id of the notice. */
  noticeId: string;
  before: { phone: string | null; userId: string | null };
  now: { phone: string | null; userId: string | null };
  at: number;
}

/** A person's newest message that was read here. */
export interface ReadReceipt {
  providerMessageId: string;
  /** E.164, or the provider's user id. */
  from: string;
}
