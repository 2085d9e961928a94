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
  /** True in tests: compares every row with the shape that its statement declares. */
  checksRows: boolean;
  /** Wakes objects. A committed batch returns the list of objects in `WAKE_COLUMN`. */
  wake(objects: WakeableObject[]): void;
};

/** The longest delay of a queue. For work that is due later, a sweep queues the message. */
export const MAX_QUEUE_DELAY_MS = 12 * HOUR_MS;

/** `delayMs` is rounded up to whole seconds, because queues count in seconds. */
export type Enqueue = (messages: object[], options?: { delayMs?: number }) => Promise<void>;

/** Messages that wait in a queue. `oldestAt` is null for an empty queue. */
export interface QueueBacklog {
  messages: number;
  oldestAt: number | null;
}

export interface Cache {
  get(key: string): Promise<unknown>;
  /** The value expires after `ttlSeconds` (at least 60), or never if `ttlSeconds` is missing. */
  put(key: string, value: object, options?: { ttlSeconds: number }): Promise<void>;
}

export interface Once {
  key: string;
  /** Hash of method, path, query and body bytes. */
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
   * Like `db`, for batches that can run twice. Batches that a request or job runs at the same time share a round trip.
   */
  sharedShard(index: number): Database;
  now(): number;
  newId: NewId;
  /** A number from 0 up to 1, for values without secrecy. Secrets use `randomBytes`. */
  random(): number;
  queues: { direct: Enqueue; expand: Enqueue; events: Enqueue; statuses: Enqueue; media: Enqueue; jobs: Enqueue };
  /** Reads the backlog of each queue, by the queue's name. */
  backlogs(): [queue: string, read: () => Promise<QueueBacklog>][];
  /** Eventually consistent; values are JSON. */
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
  upstream: Upstream;
  download: Download;
  /** Like `upstream`, but makes no call while `isOpen` returns false. */
  upstreamWhile(isOpen: () => boolean): Upstream;
  /** The base URL at which providers reach this deployment, without a trailing slash. Null if it is not configured. */
  publicUrl: string | null;
  /** False if the operator has stopped sending. Then no job calls a provider to send, or a webhook's endpoint. */
  sends: boolean;
  /** The deployed version of the Worker, by the platform. */
  version: Env["CF_VERSION_METADATA"];
  allowPrivateUpstreams: boolean;
  fastPasswords: boolean;
  /** How long an isolate collects requests before it logs them. */
  requestLogDelayMs: number;
  secrets: SecretBox;
  keySecret: RotatingSecret;
  wait(ms: number): Promise<void>;
  /** Lets work continue after the response. */
  waitUntil(work: Promise<unknown>): void;
}

export interface Ctx extends BaseCtx {
  workspace: WorkspaceRef;
  db: Database;
  once: Once | null;
  /** The revisions in If-Match. The changed record must have one of these revisions. Null accepts any revision. */
  expectedRevisions: readonly number[] | null;
}

/** The context with a stopped clock, for statements that must use the same time. */
export function withStoppedClock(ctx: Ctx): Ctx {
  const now = ctx.now();
  return { ...ctx, now: () => now };
}

export const bySystem = (ctx: Ctx): Ctx => ({ ...ctx, actor: { type: "system" } });

export function forWorkspace(base: BaseCtx, workspace: WorkspaceRef, once: Once | null = null): Ctx {
  return { ...base, workspace, db: base.shard(workspace.shard), once, expectedRevisions: null };
}

/** The context with another connection for sending. An API key keeps its own connection. */
export const sendingThrough = (ctx: Ctx, connectionId: string): Ctx =>
  ctx.actor.type === "member" ? { ...ctx, actor: { ...ctx.actor, connectionId } } : ctx;

export interface ByteBody {
  stream: ReadableStream<Uint8Array>;
  contentType: string;
  length: number | null;
  /** Returns the request's Idempotency-Key with a fingerprint that includes these bytes; null without a key. */
  onceFor(sha256: string): Promise<Once | null>;
}
