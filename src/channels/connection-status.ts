// The status of a connection, as providers report it.
import * as z from "zod";

export const connectionStatus = z
  .enum(["active", "disconnected", "error"])
  .meta({ id: "ConnectionStatus", description: "Only `active` connections can send." });

export type ConnectionStatus = z.infer<typeof connectionStatus>;

/** `official`: through a network's business program; `unofficial`: through an ordinary account. */
export const channelName = z.enum(["official", "unofficial"]).meta({
  id: "Channel",
  description:
    "`official`: a network's own program, with a 24 h window and approved templates. `unofficial`: an ordinary account.",
});

/** A provider's notice about the connection itself. A null `status` keeps the current one. */
export interface ConnectionNotice {
  status: ConnectionStatus | null;
  detail: string | null;
  /** How many people the account may contact first per day, in the provider's own term. Missing: unchanged. */
  messagingLimit?: string | undefined;
}

/** A notice about the connection. */
export interface NoticeEvent extends ConnectionNotice {
  type: "connection";
  at: number;
}
