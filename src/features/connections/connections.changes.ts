import type { Connection } from "./connections.schemas.ts";
import { type Provider, COEXISTENCE_RATE, providerFacts } from "../../channels/providers.ts";
import { findFormConflict } from "../../shared/edit-conflicts.ts";
import type { AppError } from "../../shared/errors.ts";
import { createdEvent, type NewEvent, updatedEvents } from "../events/events.changes.ts";

const isCoexisting = (settings: Record<string, string | undefined>): boolean => settings["coexistence"] === "true";

export const newRate = (
  provider: Provider,
  settings: Record<string, string | undefined>,
  requested: number | undefined,
): number => {
  const rate = requested ?? providerFacts[provider].messagesPerSecond;
  return isCoexisting(settings) ? Math.min(rate, COEXISTENCE_RATE) : rate;
};

/**
 * Returns undefined if the rate stays the same. When a user turns `coexistence` off, its limit on the rate ends. The
 * connection then gets the provider's rate, unless a user has set a rate below the limit.
 */
function changedRate(
  { provider, config, messagesPerSecond }: Pick<Connection, "provider" | "config" | "messagesPerSecond">,
  settings: Record<string, string | undefined>,
  requested: number | undefined,
): number | undefined {
  const isLifted =
    isCoexisting(config) && settings["coexistence"] === "false" && messagesPerSecond === COEXISTENCE_RATE;
  const rate = requested ?? (isLifted ? providerFacts[provider].messagesPerSecond : messagesPerSecond);
  const after = isCoexisting({ ...config, ...settings }) ? Math.min(rate, COEXISTENCE_RATE) : rate;
  return requested === undefined && after === messagesPerSecond ? undefined : after;
}

export type StatusFields = Pick<Connection, "status" | "statusDetail" | "statusAt" | "unreachableSince" | "retestAt">;

export const WORKING: StatusFields = {
  status: "active",
  statusDetail: null,
  statusAt: null,
  unreachableSince: null,
  retestAt: null,
};

type ConnectionChange = Partial<Pick<Connection, "name" | "messagesPerSecond" | "isDefault" | "config" | "secrets">>;

interface ChangeOfConnection {
  change: ConnectionChange;
  rendered: Pick<ConnectionChange, "name" | "messagesPerSecond">;
  settings: Record<string, string | undefined>;
  /**
   * True if a changed setting affects sending. The connection then becomes active again, because the change can solve
   * its error.
   */
  changesSending: boolean;
  now: number;
}

export function changeConnection(
  connection: Connection,
  { change, rendered, settings, changesSending, now }: ChangeOfConnection,
): Connection | AppError {
  const { config, secrets, ...plain } = change;
  const messagesPerSecond = changedRate(connection, settings, change.messagesPerSecond);
  const changed = { ...plain, ...(messagesPerSecond !== undefined && { messagesPerSecond }) };
  const { name, messagesPerSecond: rate } = rendered;
  return (
    findFormConflict(connection, changed, { name, messagesPerSecond: rate }) ?? {
      ...connection,
      ...changed,
      config: { ...connection.config, ...config },
      secrets: { ...connection.secrets, ...secrets },
      ...(changesSending && connection.status !== "active" && { ...WORKING, statusAt: now }),
    }
  );
}

const fieldsOf = ({ name, messagesPerSecond, isDefault }: Connection) => ({
  name,
  messages_per_second: messagesPerSecond,
  is_default: isDefault,
});

const statusOf = ({ status, statusDetail }: Connection) => ({ status, status_detail: statusDetail });

export const lostDefaultEvents = (connections: readonly { id: string }[]): NewEvent[] =>
  connections.flatMap(({ id }) => updatedEvents("connection.updated", id, { is_default: true }, { is_default: false }));

/** Settings can be secret, so events do not contain them. */
export const createdConnectionEvent = (connection: Connection): NewEvent => {
  const { id, name, channel, provider, messagesPerSecond, isDefault } = connection;
  return createdEvent("connection.created", id, {
    name,
    channel,
    provider,
    ...statusOf(connection),
    messages_per_second: messagesPerSecond,
    is_default: isDefault,
  });
};

export function changedConnectionEvents(before: Connection, after: Connection, hasSettings: boolean): NewEvent[] {
  const { id } = after;
  const updated = updatedEvents("connection.updated", id, fieldsOf(before), fieldsOf(after));
  const settings: NewEvent[] = hasSettings && updated.length === 0 ? [{ type: "connection.updated", id }] : [];
  const status = updatedEvents("connection.status_changed", id, statusOf(before), statusOf(after));
  return [...updated, ...settings, ...status];
}
