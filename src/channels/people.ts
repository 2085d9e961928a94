// People as providers name them, and what they do besides writing.

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
  /** The new text of the message; null of one that was taken back. */
  body: string | null;
  at: number;
}

/** A person chose, in the provider's own way, whether to get marketing messages. */
export interface PreferenceEvent {
  type: "preference";
  from: Person;
  marketing: "stop" | "resume";
  at: number;
}
