import type { DrizzleD1Database } from "drizzle-orm/d1";
import type { Actor } from "./actor.ts";
import type { RotatingSecret, SecretBox } from "./crypto.ts";
import { HOUR_MS } from "./durations.ts";
import type { NewId } from "./ids.ts";
import type { Download, Upstream } from "./upstream.ts";
import type { WakeableObject } from "./wakeable-object.ts";
import type { WorkspaceRef } from "./workspace.ts";

export type Database = DrizzleD1Database & {
  $client: D1Database;
  /** Runs statements as one transaction. */
  runBatch(statements: D1PreparedStatement[]): Promise<D1Result[]>;
  /** Runs one statement that gives rows. */
  runOne(statement: D1PreparedStatement): Promise<unknown[]>;
  /** Tests compare every row with the shape its statement declares. */
  checksRows: boolean;
  /** Is given the objects that rows of a committed batch name in `WAKE_COLUMN`. */
  wake(objects: WakeableObject[]): void;
};

/** Queues delay no further. A sweep finds what is due later. */
export const MAX_QUEUE_DELAY_MS = 12 * HOUR_MS;

/** Hands messages to a queue; `delayMs` is rounded up to whole seconds, which is what queues can do. */
export type Enqueue = (messages: object[], options?: { delayMs?: number }) => Promise<void>;

export interface Cache {
  /** Null on a miss. */
  get(key: string): Promise<unknown>;
  /** Kept for `ttlSeconds` (at least 60), else for good. */
  put(key: string, value: object, options?: { ttlSeconds: number }): Promise<void>;
}

/** A request that carries an Idempotency-Key. `replayed` is set when its answer had been given before. */
export interface Once {
  key: string;
  /** Hash of method, path, query and body bytes. */
  fingerprint: string;
  replayed: boolean;
}

/** The context of every request and job, whichever workspace it is for. */
export interface BaseCtx {
  requestId: string;
  actor: Actor;
  control: Database;
  shardCount: number;
  shard(index: number): Database;
  /** The same, for batches that may be repeated: those that this request or job runs at once share trips. */
  sharedShard(index: number): Database;
  now(): number;
  newId: NewId;
  /** From 0 up to 1, for values that only have to differ. Secrets are made by `randomBytes`. */
  random(): number;
  queues: { direct: Enqueue; expand: Enqueue; events: Enqueue; statuses: Enqueue; media: Enqueue; jobs: Enqueue };
  /** Eventually consistent; values are JSON. */
  cache: Cache;
  /** Holds objects that are too large for a database, or must outlast it. */
  bucket: Env["MEDIA"];
  limiters: Env["KEY_LIMITER"];
  pacers: Env["CONNECTION_PACER"];
  clocks: Env["CAMPAIGN_CLOCK"];
  scanTurns: Env["SCAN_TURNS"];
  eventFeeds: Env["EVENT_FEED"];
  webhookSenders: Env["WEBHOOK_SENDER"];
  requestLogs: Env["REQUEST_LOG"];
  liveUpdates: Env["LIVE_UPDATES"];
  /** Makes requests to providers. */
  upstream: Upstream;
  /** Fetches files. */
  download: Download;
  /** The same as `upstream`, closed to calls whose turn comes when `isOpen` says no. */
  upstreamWhile(isOpen: () => boolean): Upstream;
  /** Where providers reach this deployment, without a slash at its end; null where that is not set. */
  publicUrl: string | null;
  /** True where providers may be at addresses that are not public. */
  allowPrivateUpstreams: boolean;
  /** True in tests: passwords are hashed at almost no cost. */
  fastPasswords: boolean;
  /** How long an isolate collects requests before it writes them to the log. */
  requestLogDelayMs: number;
  secrets: SecretBox;
  /** Signs the checksums of API keys. */
  keySecret: RotatingSecret;
  wait(ms: number): Promise<void>;
  /** Lets work go on after the answer. */
  waitUntil(work: Promise<unknown>): void;
}

/** Work for one workspace, on its shard. */
export interface Ctx extends BaseCtx {
  workspace: WorkspaceRef;
  db: Database;
  once: Once | null;
  /** The revisions of which the record that a request changes must have one (its If-Match); null for any. */
  expectedRevisions: readonly number[] | null;
}

/** The same context with its clock stopped, for statements that have to agree on the time. */
export function withStoppedClock(ctx: Ctx): Ctx {
  const now = ctx.now();
  return { ...ctx, now: () => now };
}

/** The context with Tidings as the actor, for changes that no caller asked for. */
export const bySystem = (ctx: Ctx): Ctx => ({ ...ctx, actor: { type: "system" } });

export function forWorkspace(base: BaseCtx, workspace: WorkspaceRef, once: Once | null = null): Ctx {
  return { ...base, workspace, db: base.shard(workspace.shard), once, expectedRevisions: null };
}

/** The same context, sending through the connection that a member chose. A key has one of its own. */
export const sendingThrough = (ctx: Ctx, connectionId: string): Ctx =>
  ctx.actor.type === "member" ? { ...ctx, actor: { ...ctx.actor, connectionId } } : ctx;
