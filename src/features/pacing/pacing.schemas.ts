/** What a message tells when it asks for its turn. Crosses between versions of the Worker: only ever add to it. */
export interface SlotRequest {
  provider: string;
  /** E.164 or the provider's user id of whom the message is for. */
  address: string;
  /** What the connection may send, as its row says now. */
  messagesPerSecond: number;
  /** It was told before to come back now. */
  isReturning: boolean;
}

export interface Slot {
  /** Granted: wait so long, then send. Not granted: send nothing, come back after so long and ask again. */
  isGranted: boolean;
  inMs: number;
}

/** A provider asked for a pause: on the whole connection, or only in what goes to one person. */
export interface Pause {
  provider: string;
  scope: "connection" | "recipient";
  address: string;
  forMs: number;
}
