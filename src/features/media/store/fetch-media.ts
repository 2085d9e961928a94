import { and, eq, sql } from "drizzle-orm";
import type { SQLiteUpdateSetSource } from "drizzle-orm/sqlite-core";
import * as z from "zod";
import { mediaTypes } from "../../../channels/content.ts";
import { media } from "../../../db/schema/index.ts";
import { fetchRow, statement, type Statement, transact } from "../../../db/statement.ts";
import { type Ctx, type BaseCtx, forWorkspace } from "../../../shared/context.ts";
import { log } from "../../../shared/logger.ts";
import { fromJson } from "../../../shared/text/json.ts";
import { createDeliverThreadJob, type ThreadKey } from "../../../shared/thread-jobs.ts";
import { mediaKey } from "../media.names.ts";
import { MAX_MEDIA_BYTES, mediaLimits, refusalOfFile, MediaRefused } from "../media.kinds.ts";
import { isFromUrl, mediaSource } from "../media.schemas.ts";
import { isOwnMedia } from "../media.sql.ts";
import { fetchedType, inboundType, mimeTypeOf } from "../media.types.ts";
import { FetchPostponed, openMediaSource } from "../open/open-media-source.ts";
import { discardMedia, KEPT_MS } from "./upload-media.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from "../../../shared/time/durations.ts";
import { columns, updateSet } from "../../../db/columns.ts";
import { enqueueMediaFetch, fetchMediaJob } from "./queue-media.ts";
import { storeBytes, type StoredBytes } from "./store-bytes.ts";

const URL_MS = 15 * SECOND_MS;
const PROVIDER_MS = 5 * MINUTE_MS;
const FETCH_CLAIM_MS = PROVIDER_MS + MINUTE_MS;

/** Meta deletes an inbound file after this time, so later downloads would fail. */
const PROVIDER_KEEPS_MS = 7 * DAY_MS;
const MAX_URL_FETCHES = 3;

function refetchDelay(
  { fromProvider, createdAt }: { fromProvider: boolean; createdAt: number },
  fetches: number,
  now: number,
): number | null {
  const delay = Math.min(6 * HOUR_MS, 5 * SECOND_MS * 4 ** (fetches - 1));
  if (!fromProvider) return fetches < MAX_URL_FETCHES ? delay : null;
  return now + delay < createdAt + PROVIDER_KEEPS_MS ? delay : null;
}

const m = columns(media);

interface FetchRequest {
  mediaId: string;
  thread: ThreadKey | null;
}

const claimedMedia = z.object({
  id: z.string(),
  source: fromJson(mediaSource),
  message_type: z.enum(mediaTypes).nullable(),
  mime_type: z.string().nullable(),
  attempts: z.number(),
  created_at: z.number(),
});

type ClaimedMedia = z.infer<typeof claimedMedia>;

const claimMedia = (ctx: Ctx, id: string): Statement<ClaimedMedia> =>
  statement(
    claimedMedia,
    updateSet(
      media,
      { attempts: sql`${m.attempts} + 1`, fetchAt: ctx.now() + FETCH_CLAIM_MS },
      sql`
        WHERE ${isOwnMedia(ctx, id)} AND ${m.status} = 'pending' AND ${m.fetchAt} <= ${ctx.now()}
        RETURNING ${m.id}, ${m.source}, ${m.messageType}, ${m.mimeType}, ${m.attempts}, ${m.createdAt}`,
    ),
  );

const selectProgress = (ctx: Ctx, id: string) =>
  ctx.db.select({ status: media.status, fetch_at: media.fetchAt }).from(media).where(isOwnMedia(ctx, id));

const settle = (ctx: Ctx, { id, attempts }: ClaimedMedia, row: SQLiteUpdateSetSource<typeof media>) =>
  ctx.db
    .update(media)
    .set(row)
    .where(and(isOwnMedia(ctx, id), eq(media.status, "pending"), eq(media.attempts, attempts)))
    .returning({ id: media.id });

const settleStored = (ctx: Ctx, claim: ClaimedMedia, stored: StoredBytes) =>
  settle(ctx, claim, { ...stored, status: "stored", reason: null, fetchAt: null, expiresAt: ctx.now() + KEPT_MS });

const settleFailed = (ctx: Ctx, claim: ClaimedMedia, reason: string) =>
  settle(ctx, claim, { status: "failed", reason, fetchAt: null });

const settlePostponed = (ctx: Ctx, claim: ClaimedMedia, reason: string, at: number) =>
  settle(ctx, claim, { reason, fetchAt: at });

function identify({ source, message_type: kind, mime_type }: ClaimedMedia, announced: string | null, head: Uint8Array) {
  if (!isFromUrl(source)) return inboundType(mimeTypeOf(announced) ?? mimeTypeOf(mime_type), head);
  const declared = mimeTypeOf(announced);
  if (declared === "text/html" || declared === "application/xhtml+xml")
    throw new MediaRefused({ reason: "wrong_type" }, "The address returned a web page, not a file.");
  const mimeType = fetchedType(declared, head);
  if (mimeType === null)
    throw new MediaRefused(
      { reason: "wrong_type" },
      `The file does not match its type, ${declared ?? "which the server did not declare"}.`,
    );
  const refusal = kind === null ? null : refusalOfFile(kind, { mimeType, bytes: 0 });
  if (refusal !== null) throw new MediaRefused(refusal, `A file of type ${mimeType} cannot be sent as ${kind}.`);
  return mimeType;
}

async function fetchAndStore(ctx: Ctx, claim: ClaimedMedia): Promise<StoredBytes> {
  const { source, message_type: kind } = claim;
  const wholeMs = isFromUrl(source) ? URL_MS : PROVIDER_MS;
  const startedAt = ctx.now();
  const { body, mimeType, bytes } = await openMediaSource(ctx, source, startedAt + wholeMs);
  return storeBytes(ctx, mediaKey(ctx.workspace.id, claim.id), {
    body,
    length: bytes,
    maxBytes: kind === null ? MAX_MEDIA_BYTES : mediaLimits[kind].bytes,
    idleMs: wholeMs,
    wholeMs: Math.max(1, wholeMs - (ctx.now() - startedAt)),
    identify: (head) => identify(claim, mimeType, head),
    sha256: isFromUrl(source) ? null : source.media.sha256,
  });
}

async function settleUnfetched(ctx: Ctx, claim: ClaimedMedia, error: unknown): Promise<number | null> {
  const isKnown = error instanceof MediaRefused || error instanceof FetchPostponed;
  if (!isKnown) log.error("media_not_fetched", { requestId: ctx.requestId, mediaId: claim.id, error });
  const reason = isKnown ? error.message : "The file could not be stored.";
  const { attempts, created_at: createdAt, source } = claim;
  const isFinal = error instanceof MediaRefused && attempts >= error.maxTries;
  const delay = isFinal ? null : refetchDelay({ fromProvider: !isFromUrl(source), createdAt }, attempts, ctx.now());
  await transact(ctx.db, {
    settle: delay === null ? settleFailed(ctx, claim, reason) : settlePostponed(ctx, claim, reason, ctx.now() + delay),
  });
  return delay;
}

async function runFetch(ctx: Ctx, mediaId: string): Promise<number | null> {
  const claim = await fetchRow(ctx.db, claimMedia(ctx, mediaId));
  if (claim === undefined) {
    const found = await fetchRow(ctx.db, selectProgress(ctx, mediaId));
    const isPending = found?.status === "pending" && found.fetch_at !== null;
    return isPending ? Math.max(1000, (found.fetch_at ?? 0) - ctx.now()) : null;
  }
  try {
    const stored = await fetchAndStore(ctx, claim);
    if ((await fetchRow(ctx.db, settleStored(ctx, claim, stored))) === undefined) await discardMedia(ctx, mediaId);
    return null;
  } catch (error) {
    return settleUnfetched(ctx, claim, error);
  }
}

/**
 * Concurrent calls download the file only once, because one of them claims it. After the download, the thread that
 * waits for the file is queued.
 */
async function fetchMedia(ctx: Ctx, { mediaId, thread }: FetchRequest): Promise<void> {
  const delay = await runFetch(ctx, mediaId);
  if (delay !== null) await enqueueMediaFetch(ctx, [{ mediaId, thread }], delay);
  else if (thread !== null) await ctx.queues.direct([createDeliverThreadJob(ctx.workspace, thread)]);
}

export async function runFetchMediaJob(base: BaseCtx, message: unknown): Promise<void> {
  const { workspace, mediaId, thread } = fetchMediaJob.parse(message);
  await fetchMedia(forWorkspace(base, workspace), { mediaId, thread });
}
