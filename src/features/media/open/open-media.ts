import { and, eq, sql } from "drizzle-orm";
import { type MediaFile, type MediaLibrary, MediaUnavailable, type UploadedMedia } from "../../../channels/channel.ts";
import { fetchRow, transact } from "../../../db/statement.ts";
import type { BaseCtx, Ctx } from "../../../shared/context.ts";
import { Memo } from "../../../shared/memo.ts";
import { SECOND_MS } from "../../../shared/time/durations.ts";
import { mediaKey, LINK_MS, mediaLinkPath } from "../media.names.ts";
import {
  selectMedia,
  selectMediaUpload,
  upsertMediaUpload,
  type UploadKey,
  isUpload,
  replaceUpload,
} from "../media.sql.ts";
import { mediaUploads } from "../../../db/schema/index.ts";

async function readBytes(ctx: Ctx, mediaId: string): Promise<ReadableStream<Uint8Array>> {
  const object = await ctx.bucket.get(mediaKey(ctx.workspace.id, mediaId));
  if (object === null) throw new MediaUnavailable("The file no longer exists.");
  return object.body;
}

async function createLink(ctx: Ctx, mediaId: string): Promise<string> {
  if (ctx.publicUrl === null) throw new MediaUnavailable("PUBLIC_URL is not set, so providers cannot read files.");
  const { shard, id: workspaceId } = ctx.workspace;
  return ctx.publicUrl + (await mediaLinkPath({ shard, workspaceId, mediaId }, ctx.now() + LINK_MS, ctx.keySecret));
}

async function openMedia(ctx: Ctx, id: string): Promise<MediaFile> {
  const record = await fetchRow(ctx.db, selectMedia(ctx, id));
  const { mime_type: mimeType, bytes, sha256, filename } = record ?? {};
  if (record?.status === "failed") throw new MediaUnavailable(record.reason ?? "The file could not be fetched.");
  if (record?.status === "pending") throw new MediaUnavailable("The file is still being fetched.");
  if (record?.status !== "stored" || !mimeType || typeof bytes !== "number" || !sha256)
    throw new MediaUnavailable("The file no longer exists.");
  return {
    id,
    mimeType,
    bytes,
    sha256,
    filename: filename ?? null,
    read: () => readBytes(ctx, id),
    link: () => createLink(ctx, id),
  };
}

function memoizeByKey<T>(ask: (key: string) => Promise<T>): (key: string) => Promise<T> {
  const promises = new Map<string, Promise<T>>();
  return (key) => {
    const known = promises.get(key);
    if (known !== undefined) return known;
    const answer = ask(key);
    promises.set(key, answer);
    answer.catch(() => promises.delete(key));
    return answer;
  };
}

function sharedWhileRunning(): MediaLibrary["shareUpload"] {
  const running = new Map<string, Promise<UploadedMedia>>();
  return (name, run) => {
    const known = running.get(name);
    if (known !== undefined) return known;
    const ended = run().finally(() => running.delete(name));
    running.set(name, ended);
    return ended;
  };
}

// Messages with the same file share one upload: one message uploads, and the others wait for the id of the file.

const POLL_MS = 50;
/**
 * A message waits this long for another message's upload. It is then retried later, because a run has limited time.
 */
const MAX_WAIT_MS = 10 * SECOND_MS;
/** Longer than an upload takes. If the uploading request was aborted, its turn ends after this time. */
const TURN_MS = 30 * SECOND_MS;

/**
 * The platform does not allow a request to await a promise of another request. The map therefore contains no promises,
 * and waiting requests poll it.
 */
const turns = new Memo<symbol>(1000, TURN_MS);

export async function inUploadTurn<T>(
  { now, wait }: Pick<BaseCtx, "now" | "wait">,
  key: string,
  work: () => Promise<T>,
): Promise<T> {
  for (let waitedMs = 0; turns.get(key, now()) !== undefined; waitedMs += POLL_MS) {
    if (waitedMs >= MAX_WAIT_MS) throw new Error("Another message is still uploading the file.");
    await wait(POLL_MS);
  }
  const turn = turns.set(key, Symbol(key), now());
  try {
    return await work();
  } finally {
    if (turns.get(key, now()) === turn) turns.delete(key);
  }
}

/** Create one library per request or job, so that the messages of a campaign share the uploaded file. */
export function createMediaLibrary(ctx: Ctx): MediaLibrary {
  const uploads = new Map<string, string>();
  const uploadKeyOf = (connectionId: string, { sha256, mimeType }: MediaFile) =>
    `${connectionId} ${sha256} ${mimeType}`;
  return {
    open: memoizeByKey((mediaId) => openMedia(ctx, mediaId)),
    async findUpload(connectionId, file, lapsed = null) {
      const known = uploads.get(uploadKeyOf(connectionId, file));
      if (known !== undefined && known !== lapsed) return known;
      const found = await fetchRow(ctx.db, selectMediaUpload(ctx, connectionId, file));
      if (found === undefined || found.provider_media_id === lapsed) return null;
      uploads.set(uploadKeyOf(connectionId, file), found.provider_media_id);
      return found.provider_media_id;
    },
    inTurn: (connectionId, file, work) => inUploadTurn(ctx, uploadKeyOf(connectionId, file), work),
    async storeUpload(connectionId, file, providerMediaId, forMs) {
      uploads.set(uploadKeyOf(connectionId, file), providerMediaId);
      await transact(ctx.db, {
        upload: upsertMediaUpload(ctx, { connectionId, ...file, providerMediaId, lapsesAt: ctx.now() + forMs }),
      });
    },
    shareUpload: sharedWhileRunning(),
  };
}

const UNDER_WAY = "";

const insertUploadClaim = (ctx: Ctx, key: UploadKey, until: number) =>
  replaceUpload(
    ctx,
    { ...key, providerMediaId: UNDER_WAY, lapsesAt: until },
    sql`media_uploads.lapses_at <= ${ctx.now()}`,
  ).returning({ lapses_at: mediaUploads.lapsesAt });

const deleteUploadClaim = (ctx: Ctx, key: UploadKey) =>
  ctx.db.delete(mediaUploads).where(and(isUpload(ctx, key), eq(mediaUploads.providerMediaId, UNDER_WAY)));

/** Longer than an upload takes. A process with an older claim has died, so its claim is ignored. */
const CLAIM_MS = 30 * SECOND_MS;

export async function claimUpload(
  ctx: Ctx,
  connectionId: string,
  file: MediaFile,
): Promise<"uploaded" | "under_way" | "claimed"> {
  const { known, claimed } = await transact(ctx.db, {
    known: selectMediaUpload(ctx, connectionId, file),
    claimed: insertUploadClaim(ctx, { connectionId, ...file }, ctx.now() + CLAIM_MS),
  });
  if (known.length > 0) return "uploaded";
  return claimed.length > 0 ? "claimed" : "under_way";
}

export async function releaseUpload(ctx: Ctx, connectionId: string, file: MediaFile): Promise<void> {
  await transact(ctx.db, { release: deleteUploadClaim(ctx, { connectionId, ...file }) });
}
