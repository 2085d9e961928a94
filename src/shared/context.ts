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
  /** A batch returns in `WAKE_COLUMN` which objects to notify. They are notified after the commit. */
  wake(objects: WakeableObject[]): void;
};

/** Queues do not accept a longer delay. For later work, a sweep queues the message. */
export const MAX_QUEUE_DELAY_MS = 12 * HOUR_MS;

/** Queues count in seconds, so `delayMs` is rounded up to whole seconds. */
export type Enqueue = (messages: object[], options?: { delayMs?: number }) => Promise<void>;

export interface QueueBacklog {
  messages: number;
  oldestAt: number | null;
}

export interface Cache {
  get(key: string): Promise<unknown>;
  /** Without `ttlSeconds`, the value never expires. KV requires at least 60. */
  put(key: string, value: object, options?: { ttlSeconds: number }): Promise<void>;
}

export interface Once {
  key: string;
  /** Identifies a request by its method, path, query and body. */
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
   * Concurrent batches share a round trip. If it fails, each batch runs again, so it must be safe to run a
   * batch twice.
   */
  sharedShard(index: number): Database;
  now(): number;
  newId: NewId;
  /** From 0 to less than 1. Secrets need `randomBytes` instead. */
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
  upstream: Upstream;
  download: Download;
  upstreamWhile(isOpen: () => boolean): Upstream;
  /**
   * The URL at which providers reach this deployment, without a trailing slash. If it is not configured, this
   * is null.
   */
  publicUrl: string | null;
  sends: boolean;
  allowPrivateUpstreams: boolean;
  fastPasswords: boolean;
  requestLogDelayMs: number;
  secrets: SecretBox;
  keySecret: RotatingSecret;
  wait(ms: number): Promise<void>;
  waitUntil(work: Promise<unknown>): void;
}

export interface Ctx extends BaseCtx {
  workspace: WorkspaceRef;
  db: Database;
  once: Once | null;
  /** The If-Match header lists these revisions, and the record must have one of them. Null accepts all revisions. */
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
   * The hash of a stream is known only after the handler has read it. Returns null if the request has no
   * Idempotency-Key.
   */
  onceFor(sha256: string): Promise<Once | null>;
}
