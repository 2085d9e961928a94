import type { DrizzleD1Database } from "drizzle-orm/d1";
import type { Actor } from "./access/actor.ts";
import type { RotatingSecret, SecretBox } from "./security/crypto.ts";
import { HOUR_MS } from "./time/durations.ts";
import type { NewId } from "./ids.ts";
import type { Download, Upstream } from "./network/upstream.ts";
import type { WakeableObject } from "./wakeable-object.ts";
import type { WorkspaceRef } from "./access/workspace.ts";

export type Database = DrizzleD1Database & {
  $client: D1Database;
  runBatch(statements: D1PreparedStatement[]): Promise<D1Result[]>;
  runOne(statement: D1PreparedStatement): Promise<unknown[]>;
  checksRows: boolean;
  /** Called after a commit to notify the Durable Objects that the batch returned in a column `WAKE_COLUMN`. */
  wake(objects: WakeableObject[]): void;
};

/** The longest delay that Queues accept. Work that is due later is not queued yet: a sweep queues it when it is due. */
export const MAX_QUEUE_DELAY_MS = 12 * HOUR_MS;

/** `delayMs` is rounded up to whole seconds, because Queues count in seconds. */
export type Enqueue = (messages: object[], options?: { delayMs?: number }) => Promise<void>;

export interface QueueBacklog {
  messages: number;
  oldestAt: number | null;
}

export interface Cache {
  get(key: string): Promise<unknown>;
  /** Without `ttlSeconds`, the value never expires. KV rejects less than 60 seconds. */
  put(key: string, value: object, options?: { ttlSeconds: number }): Promise<void>;
}

export interface Once {
  key: string;
  /**
   * A hash of method, path, query and body. A request that reuses an Idempotency-Key with another fingerprint is
   * rejected.
   */
  fingerprint: string;
  replayed: boolean;
}

export interface BaseCtx {
  requestId: string;
  actor: Actor;
  control: Database;
  shardCount: number;
  shard(index: number): Database;
  /**
   * A shard that combines batches: if several start at the same time, they run in one round trip. If that fails,
   * each batch runs again alone, so every batch must be safe to run twice.
   */
  sharedShard(index: number): Database;
  now(): number;
  newId: NewId;
  /** Returns a number from 0 to less than 1. It is predictable, so secrets must use `randomBytes` instead. */
  random(): number;
  queues: { direct: Enqueue; expand: Enqueue; events: Enqueue; statuses: Enqueue; media: Enqueue; jobs: Enqueue };
  backlogs(): [queue: string, read: () => Promise<QueueBacklog>][];
  cache: Cache;
  bucket: Env["MEDIA"];
  limiters: Env["KEY_LIMITER"];
  pacers: Env["CONNECTION_PACER"];
  clocks: Env["CAMPAIGN_CLOCK"];
  scanTurns: Env["SCAN_TURNS"];
  eventFeeds: Env["EVENT_FEED"];
  webhookSenders: Env["WEBHOOK_SENDER"];
  requestLogs: Env["REQUEST_LOG"];
  liveUpdates: Env["LIVE_UPDATES"];
  statusInboxes: Env["STATUS_INBOX"];
  upstream: Upstream;
  download: Download;
  upstreamWhile(isOpen: () => boolean): Upstream;
  /** The URL at which providers reach this deployment, without a trailing slash. Null if it is not configured. */
  publicUrl: string | null;
  sends: boolean;
  version: Env["CF_VERSION_METADATA"];
  allowPrivateUpstreams: boolean;
  fastPasswords: boolean;
  requestLogDelayMs: number;
  /** How long a status inbox collects statuses before it stores them. */
  statusFlushMs: number;
  secrets: SecretBox;
  keySecret: RotatingSecret;
  /** Aborted when the caller disconnects. Null if the work has no caller. */
  signal: AbortSignal | null;
  wait(ms: number): Promise<void>;
  waitUntil(work: Promise<unknown>): void;
}

export const hasDisconnected = ({ signal }: Pick<BaseCtx, "signal">): boolean => signal?.aborted === true;

export interface Ctx extends BaseCtx {
  workspace: WorkspaceRef;
  db: Database;
  once: Once | null;
  /**
   * The revisions from the If-Match header. The change fails if the record has none of them. If null, the record
   * can have any revision.
   */
  expectedRevisions: readonly number[] | null;
}

export function withStoppedClock(ctx: Ctx): Ctx {
  const now = ctx.now();
  return { ...ctx, now: () => now };
}

export const bySystem = (ctx: Ctx): Ctx => ({ ...ctx, actor: { type: "system" } });

export function forWorkspace(base: BaseCtx, workspace: WorkspaceRef, once: Once | null = null): Ctx {
  return { ...base, workspace, db: base.shard(workspace.shard), once, expectedRevisions: null };
}

export const sendingThrough = (ctx: Ctx, connectionId: string): Ctx =>
  ctx.actor.type === "member" ? { ...ctx, actor: { ...ctx.actor, connectionId } } : ctx;

export interface ByteBody {
  stream: ReadableStream<Uint8Array>;
  contentType: string;
  length: number | null;
  /**
   * Call this with the hash of the body after reading the whole stream, because the hash is unknown before.
   * Returns null if the request has no Idempotency-Key.
   */
  onceFor(sha256: string): Promise<Once | null>;
}
