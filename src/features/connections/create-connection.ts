import type { SQL } from "drizzle-orm";
import * as z from "zod";
import { type OpenConnection, ProviderError } from "../../channels/channel.ts";
import { loadChannel } from "../../channels/registry.ts";
import { fetchRows } from "../../db/statement.ts";
import type { Ctx } from "../../shared/context.ts";
import { randomBytes } from "../../shared/security/crypto.ts";
import { insertEvents } from "../events/insert-events.ts";
import { decideAndCommit } from "../commits/decide-and-commit.ts";
import { findReplay, requestKey, selectReplay } from "../idempotency/idempotency.service.ts";
import {
  createdConnectionEvent,
  lostDefaultEvents,
  type StatusFields,
  WORKING,
  newRate,
} from "./connections.changes.ts";
import { retestPauseMs, firstTemplateSync } from "./connections.schedules.ts";
import { providers, type Connection } from "./connections.schemas.ts";
import { checkAddresses, type ConnectionSettings, parseConfig, requireConnection } from "./connections.service.ts";
import type { Provider } from "../../channels/providers.ts";
import { clearOtherDefaults, insertConnection, insertConnectionShard, selectOtherDefaults } from "./connections.sql.ts";
import { openConnection, sealSettings } from "./open-connection.ts";
import { publishConnection } from "./publish-connection.ts";

export interface NewConnection {
  name: string;
  channel: Connection["channel"];
  provider: Provider;
  config: unknown;
  messagesPerSecond?: number | undefined;
  isDefault?: boolean | undefined;
  /** Tests the settings first. If the test fails, the connection is still created, with the error in its status. */
  test?: boolean;
}

async function testSettings(ctx: Ctx, provider: Provider, connection: OpenConnection): Promise<StatusFields> {
  const statusAt = ctx.now();
  try {
    const channel = await loadChannel(provider);
    await channel?.test(connection, { upstream: ctx.upstream, download: ctx.download });
    return { ...WORKING, statusAt };
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    const { detail, notice } = error;
    if (notice !== null) return { ...WORKING, status: notice.status ?? "error", statusDetail: notice.detail, statusAt };
    const retests = { unreachableSince: statusAt, retestAt: statusAt + retestPauseMs(0) };
    return { status: "error", statusDetail: detail, statusAt, ...retests };
  }
}

const withoutUndefined = (settings: ConnectionSettings): Record<string, string> =>
  Object.fromEntries(Object.entries(settings).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])));

const randomSecret = () => randomBytes(24).toHex();

interface NewRow {
  row: Connection;
  generated: Record<string, string>;
}

async function newRow(ctx: Ctx, id: string, input: NewConnection, given: ConnectionSettings): Promise<NewRow> {
  const { provider, channel, name } = input;
  const missing = providers[provider].generated.filter((key) => given[key] === undefined);
  const settings = { ...given, ...Object.fromEntries(missing.map((key) => [key, randomSecret()])) };
  const sealed = await sealSettings(ctx, id, provider, settings);
  const row: Connection = {
    id,
    workspaceId: ctx.workspace.id,
    name,
    channel,
    provider,
    ...WORKING,
    ...(input.test === true && (await testSettings(ctx, provider, { id, config: withoutUndefined(settings) }))),
    isDefault: input.isDefault ?? false,
    messagesPerSecond: newRate(provider, given, input.messagesPerSecond),
    ...sealed,
    templateSyncAt: firstTemplateSync(input, ctx.now()),
    templateSyncFailures: 0,
    templateChanges: 0,
    messagingLimit: null,
    messagingLimitAt: null,
    deletedAt: null,
    createdAt: ctx.now(),
  };
  const generated = missing.map((key) => [key, sealed.secrets[key]?.sealed ?? ""] as const);
  return { row, generated: Object.fromEntries(generated) };
}

const creationReplay = z.object({
  connection_id: z.string(),
  generated: z.record(z.string(), z.string()),
  /** Replays that an earlier version stored do not have this field. */
  is_default: z.boolean().optional(),
});

type CreationReplay = z.infer<typeof creationReplay>;

async function openGenerated(ctx: Ctx, connection: Connection, { generated }: CreationReplay) {
  const kept = Object.entries(connection.secrets).filter(([name, { sealed }]) => generated[name] === sealed);
  const { config } = await openConnection(ctx, { ...connection, config: {}, secrets: Object.fromEntries(kept) });
  return config;
}

interface CreatedConnection {
  connection: Connection;
  secrets: Record<string, string>;
}

async function openCreated(ctx: Ctx, connection: Connection, replay: CreationReplay): Promise<CreatedConnection> {
  return { connection, secrets: await openGenerated(ctx, connection, replay) };
}

async function findCreated(ctx: Ctx): Promise<CreatedConnection | null> {
  if (requestKey(ctx) === null) return null;
  const replay = findReplay(ctx, await fetchRows(ctx.db, selectReplay(ctx)), creationReplay);
  return replay === null ? null : openCreated(ctx, await requireConnection(ctx, replay.connection_id), replay);
}

/**
 * If a concurrent repeat of this request has already stored a connection, returns that connection. The first connection
 * of a channel becomes the default.
 */
async function storeConnection(ctx: Ctx, { row, generated }: NewRow, alongside: SQL[]): Promise<CreatedConnection> {
  await insertConnectionShard(ctx, row.id);
  const replay = await decideAndCommit(ctx, {
    shape: creationReplay,
    reads: { defaults: selectOtherDefaults(ctx, row) },
    decide({ defaults }) {
      const connection = { ...row, isDefault: row.isDefault || defaults.length === 0 };
      const lost = row.isDefault ? defaults : [];
      const events = [...lostDefaultEvents(lost), createdConnectionEvent(connection)];
      return {
        writes: [
          ...(lost.length === 0 ? [] : [clearOtherDefaults(ctx, row)]),
          insertConnection(ctx, connection),
          // We insert the connection's events here and leave `events` empty, because `decideAndCommit` inserts `events`
          // last, and these must come before the events of `alongside`.
          insertEvents(ctx, events),
          ...alongside,
        ],
        events: [],
        answer: { connection_id: row.id, generated, is_default: connection.isDefault },
      };
    },
  });
  const { connection_id: id, is_default: isDefault = row.isDefault } = replay;
  return openCreated(ctx, id === row.id ? { ...row, isDefault } : await requireConnection(ctx, id), replay);
}

/**
 * The statements in `alongside` run in the same transaction. The returned `secrets` are the generated settings. Only
 * this request and its repeats receive them.
 */
export async function createConnection(
  ctx: Ctx,
  input: NewConnection,
  { id, alongside }: { id: string; alongside: SQL[] } = { id: ctx.newId("conn"), alongside: [] },
): Promise<CreatedConnection> {
  const given = parseConfig(providers[input.provider].config, input.config);
  checkAddresses(ctx, given);
  const created =
    (await findCreated(ctx)) ?? (await storeConnection(ctx, await newRow(ctx, id, input, given), alongside));
  ctx.waitUntil(publishConnection(ctx, created.connection));
  return created;
}
