// People as providers name them, and what they do besides writing.
import type { InboundParts } from "./content.ts";

/** At least one of `phone` and `userId` is set. `phone` is E.164. */
export interface Person {
  phone: string | null;
  userId: string | null;
  name: string | null;
  username?: string | null;
  /** Further ids that the provider may know the person by. */
  aliases?: string[];
  /** The provider may know the number behind `userId` when asked. */
  isPhoneHidden?: boolean;
}

/** The author of a message changed it or took it back. */
export interface RevisionEvent {
  type: "revision";
  kind: "edit" | "revoke";
  /** The same in every delivery. */
  revisionId: string;
  /** The keys that the message may be known by; one of them is its own. */
  providerKeys: string[];
  /** The author; null where it is the account itself. */
  by: Person | null;
  /** The other person of the conversation, where the author is the account itself. */
  to?: Person | null;
  /** The new text of the message; null of one that was taken back. */
  body: string | null;
  /** The new content, where the message is not only text. */
  parts?: InboundParts | null;
  at: number;
}

/** A person chose, in the provider's own way, whether to get marketing messages. */
export interface PreferenceEvent {
  type: "preference";
  from: Person;
  marketing: "stop" | "resume";
  at: number;
}

/** The provider gave a person another number or user id. Either side has at least one of both. */
export interface IdentityEvent {
  type: "identity";
  /** The provider's id of the notice. */
  noticeId: string;
  before: { phone: string | null; userId: string | null };
  now: { phone: string | null; userId: string | null };
  at: number;
}

/** The newest message of a person that was read here. */
export interface ReadReceipt {
  providerMessageId: string;
  /** E.164, or the provider's user id. */
  from: string;
}
