import type { z } from "zod";
import { ProviderError } from "../../channels/channel.ts";
import { loadChannel } from "../../channels/registry.ts";
import { changedColumns } from "../../db/columns.ts";
import { fetchRows } from "../../db/statement.ts";
import { faultOfAddress } from "../../shared/network/addresses.ts";
import type { Ctx } from "../../shared/context.ts";
import { AppError, invalid, notFound } from "../../shared/errors.ts";
import { REPORT, toFaults } from "../../shared/faults.ts";
import { decideAndCommit } from "../commits/decide-and-commit.ts";
import { applyConnectionNotice, markTestFailed } from "./connection-status.sql.ts";
import { changeConnection, changedConnectionEvents, lostDefaultEvents } from "./connections.changes.ts";
import { providers, type Connection } from "./connections.schemas.ts";
import type { Provider } from "../../channels/providers.ts";
import {
  clearOtherDefaults,
  findConnection,
  selectConnection,
  selectConnections,
  selectOtherDefaults,
  updateConnectionRow,
} from "./connections.sql.ts";
import { openConnection, sealSettings } from "./open-connection.ts";
import { publishConnection } from "./publish-connection.ts";

export const listConnections = (ctx: Ctx, limit: number, before: string | undefined): Promise<Connection[]> =>
  fetchRows(ctx.db, selectConnections(ctx, limit, before));

export async function requireConnection(ctx: Ctx, id: string): Promise<Connection> {
  const row = await findConnection(ctx, id);
  if (row === null) throw notFound("connection");
  return row;
}

export const listWebhookEvents = async (provider: Provider): Promise<readonly string[]> =>
  (await loadChannel(provider))?.webhook?.events ?? [];

export type ConnectionSettings = Record<string, string | undefined>;

export function parseConfig(schema: z.ZodType<ConnectionSettings>, config: unknown): ConnectionSettings {
  const parsed = schema.safeParse(config, REPORT);
  if (parsed.success) return parsed.data;
  throw invalid(toFaults(parsed.error, "config"));
}

const ADDRESSES = ["api_base", "base_url"];

export function checkAddresses(ctx: Ctx, settings: ConnectionSettings): void {
  const faults = ADDRESSES.flatMap((name) => {
    const address = settings[name];
    const message = address === undefined ? null : faultOfAddress(address, { allowPrivate: ctx.allowPrivateUpstreams });
    return message === null ? [] : [{ path: `config.${name}`, code: "invalid_address", message }];
  });
  if (faults.length > 0) throw invalid(faults);
}

interface ConnectionPatch {
  name?: string;
  messagesPerSecond?: number;
  isDefault?: boolean;
  config?: Record<string, unknown>;
}

async function areForSending(provider: Provider, settings: ConnectionSettings): Promise<boolean> {
  const ofWebhook = (await loadChannel(provider))?.webhook?.secrets ?? [];
  return Object.keys(settings).some((name) => !ofWebhook.includes(name));
}

/**
 * `rendered` contains the values that the form displayed. Throws `precondition_failed` if somebody has changed the name
 * or rate since then.
 */
export async function updateConnection(
  ctx: Ctx,
  id: string,
  { config, ...input }: ConnectionPatch,
  rendered: ConnectionPatch = {},
): Promise<Connection> {
  // Provider and channel never change, so we can read the connection outside the transaction.
  const { provider, channel } = await requireConnection(ctx, id);
  const settings = config === undefined ? {} : parseConfig(providers[provider].config.partial(), config);
  checkAddresses(ctx, settings);
  const change = { ...input, ...(await sealSettings(ctx, id, provider, settings)) };
  const changesSending = await areForSending(provider, settings);
  const becomesDefault = input.isDefault === true;
  const after: Connection = await decideAndCommit(ctx, {
    shape: null,
    reads: {
      connections: selectConnection(ctx, id),
      otherDefaults: becomesDefault ? selectOtherDefaults(ctx, { id, channel }) : undefined,
    },
    decide({ connections: [connection], otherDefaults }) {
      if (connection === undefined) return notFound("connection");
      const changed = changeConnection(connection, { change, rendered, settings, changesSending, now: ctx.now() });
      if (changed instanceof AppError) return changed;
      const row = changedColumns(connection, changed);
      return {
        writes: [
          ...(becomesDefault ? [clearOtherDefaults(ctx, connection)] : []),
          ...(row === null ? [] : [updateConnectionRow(ctx, id, row)]),
        ],
        events: [
          ...lostDefaultEvents(otherDefaults),
          ...changedConnectionEvents(connection, changed, Object.keys(settings).length > 0),
        ],
        answer: changed,
      };
    },
  });
  ctx.waitUntil(publishConnection(ctx, after));
  return after;
}

export async function testConnection(ctx: Ctx, id: string): Promise<string> {
  const row = await requireConnection(ctx, id);
  const channel = await loadChannel(row.provider);
  if (channel === null) {
    const message = row.statusDetail ?? "This version of Tidings does not support the provider.";
    throw new AppError("invalid_state", message, { status: row.status });
  }
  try {
    const { detail } = await channel.test(await openConnection(ctx, row), {
      upstream: ctx.upstream,
      download: ctx.download,
    });
    if (row.status !== "active") await applyConnectionNotice(ctx, id, { status: "active", detail: null }, ctx.now());
    return detail;
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    if (error.notice === null) await markTestFailed(ctx, id, error.detail);
    else await applyConnectionNotice(ctx, id, error.notice, ctx.now());
    const { detail, providerCode } = error;
    const details = { provider: row.provider, provider_code: providerCode, detail };
    throw new AppError("provider_error", `The test failed: ${detail}`, details);
  }
}
