import { fetchRow } from "../../db/statement.ts";
import type { BaseCtx, Ctx } from "../../shared/context.ts";
import { AppError, notFound } from "../../shared/errors.ts";
import type { WorkspaceRef } from "../../shared/workspace.ts";
import { mediaKey } from "./media.keys.ts";
import { readMediaLink } from "./media.links.ts";
import { type ByteRange, namesVersion, rangeOf } from "./media.ranges.ts";
import { selectMediaAmong } from "./media.sql.ts";

/** The headers in which a request names the bytes that it wants. */
export interface ContentRequest {
  headers: Headers;
  /** `HEAD`: no bytes are read. */
  isHead: boolean;
}

/** A file as it is to be served. */
export interface ServedFile {
  mimeType: string;
  filename: string | null;
  mediaId: string;
  etag: string;
  size: number;
  /** Null for the whole file. */
  range: ByteRange | null;
  /** True where the caller has it already. */
  isUnchanged: boolean;
  /** Null where no bytes are to be sent. */
  body: ReadableStream<Uint8Array> | null;
}

const gone = () => new AppError("not_found", "The bytes of this file are gone.");

/** The file in one of these workspaces, which are of one shard. */
async function openContent(
  base: BaseCtx,
  shard: number,
  workspaceIds: readonly string[],
  id: string,
  { headers, isHead }: ContentRequest,
): Promise<ServedFile | null> {
  const found = await fetchRow(base.shard(shard), selectMediaAmong(workspaceIds, id));
  if (found === undefined) return null;
  const { status, mime_type: mimeType, bytes: size, sha256, filename, workspace_id: workspaceId } = found;
  if (status === "pending") throw new AppError("invalid_state", "The file is still being fetched.", { status });
  if (status === "failed") throw new AppError("not_found", found.reason ?? "The file could not be fetched.");
  if (status === "expired" || mimeType === null || size === null || sha256 === null) throw gone();
  const etag = `"${sha256}"`;
  const content = { mimeType, filename, mediaId: id, etag, size, range: null, isUnchanged: false, body: null };
  if (namesVersion(headers.get("If-None-Match"), etag)) return { ...content, isUnchanged: true };
  const isSameVersion = headers.get("If-Range") === null || headers.get("If-Range") === etag;
  const range = isSameVersion ? rangeOf(headers.get("Range"), size) : null;
  if (range === "unsatisfiable")
    throw new AppError("range_not_satisfiable", `The file has ${size} bytes.`, { bytes: size });
  if (isHead) return { ...content, range };
  const object = await base.bucket.get(mediaKey(workspaceId, id), range === null ? {} : { range });
  if (object === null) throw gone();
  return { ...content, range, body: object.body };
}

/** Throws `not_found`, `invalid_state` while it is being fetched, `range_not_satisfiable`. */
export async function readMedia(ctx: Ctx, id: string, request: ContentRequest): Promise<ServedFile> {
  const content = await openContent(ctx, ctx.workspace.shard, [ctx.workspace.id], id, request);
  if (content === null) throw notFound("file");
  return content;
}

/** A file of any of a member's workspaces. Throws as `readMedia`. */
export async function readMediaOfMember(
  base: BaseCtx,
  memberships: readonly WorkspaceRef[],
  id: string,
  request: ContentRequest,
): Promise<ServedFile> {
  for (const [shard, own] of Map.groupBy(memberships, (membership) => membership.shard)) {
    const workspaceIds = own.map((membership) => membership.id);
    const content = await openContent(base, shard, workspaceIds, id, request);
    if (content !== null) return content;
  }
  throw notFound("file");
}

/** The file of a signed link. Throws as `readMedia`, and `not_found` for a link that has ended or is not ours. */
export async function readLinkedMedia(base: BaseCtx, token: string, request: ContentRequest): Promise<ServedFile> {
  const link = await readMediaLink(token, base.now(), base.keySecret);
  const content = link === null ? null : await openContent(base, link.shard, [link.workspaceId], link.mediaId, request);
  if (content === null) throw new AppError("not_found", "This link has ended.");
  return content;
}
