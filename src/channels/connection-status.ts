// The state of a connection, as providers report it.
import * as z from "zod";

export const connectionStatus = z
  .enum(["active", "disconnected", "error"])
  .meta({ id: "ConnectionStatus", description: "Sending goes through `active` ones only." });

export type ConnectionStatus = z.infer<typeof connectionStatus>;

/** The two kinds of connections: to the official programme of a network, or to an ordinary account. */
export const channelName = z.enum(["official", "unofficial"]).meta({
  id: "Channel",
  description:
    "`official`: a network's own programme, with a 24 h window and approved templates. `unofficial`: an ordinary account.",
});

/** A provider's message about the connection itself. A null `status` leaves it as it is. */
export interface ConnectionNotice {
  status: ConnectionStatus | null;
  detail: string | null;
  /** How many people the account may write to first in a day, in the provider's own word. Left out, it stays as it is. */
  messagingLimit?: string | undefined;
}

/** Something happened to the connection. */
export interface NoticeEvent extends ConnectionNotice {
  type: "connection";
  at: number;
}
