import { fetchRow } from "../../../db/statement.ts";
import type { BaseCtx, Ctx } from "../../../shared/context.ts";
import { AppError, notFound } from "../../../shared/errors.ts";
import type { WorkspaceRef } from "../../../shared/access/workspace.ts";
import { includesVersion } from "../../../shared/versions.ts";
import { mediaKey, readMediaLink } from "../media.names.ts";
import { selectMediaAmong } from "../media.sql.ts";

interface ByteRange {
  offset: number;
  length: number;
}

interface ContentRequest {
  headers: Headers;
  isHead: boolean;
}

const ONE_RANGE = /^bytes=(?:(\d+)-(\d*)|-(\d+))$/;

/** Returns null if we send the whole file. HTTP allows this for a request with several ranges. */
function rangeOf(header: string | null, size: number): ByteRange | "unsatisfiable" | null {
  const match = ONE_RANGE.exec(header?.trim().toLowerCase().replaceAll(" ", "") ?? "");
  if (match === null) return null;
  const [, from, to, last] = match;
  if (last !== undefined) {
    const length = Math.min(Number(last), size);
    return length === 0 ? "unsatisfiable" : { offset: size - length, length };
  }
  const offset = Number(from);
  const end = to === undefined || to === "" ? size - 1 : Math.min(Number(to), size - 1);
  if (to !== undefined && to !== "" && Number(to) < offset) return null;
  return offset >= size ? "unsatisfiable" : { offset, length: end - offset + 1 };
}

export interface ServedFile {
  mimeType: string;
  filename: string | null;
  mediaId: string;
  etag: string;
  size: number;
  range: ByteRange | null;
  isUnchanged: boolean;
  body: ReadableStream<Uint8Array> | null;
}

const gone = () => new AppError("not_found", "The bytes of this file no longer exist.");

interface FileLocation {
  shard: number;
  workspaceIds: readonly string[];
}

async function openContent(
  base: BaseCtx,
  { shard, workspaceIds }: FileLocation,
  id: string,
  { headers, isHead }: ContentRequest,
): Promise<ServedFile | null> {
  const db = base.shard(shard);
  const found = await fetchRow(db, selectMediaAmong(db, workspaceIds, id));
  if (found === undefined) return null;
  const { status, mime_type: mimeType, bytes: size, sha256, filename, workspace_id: workspaceId } = found;
  if (status === "pending") throw new AppError("invalid_state", "The file is still being fetched.", { status });
  if (status === "failed") throw new AppError("not_found", found.reason ?? "The file could not be fetched.");
  if (status === "expired" || mimeType === null || size === null || sha256 === null) throw gone();
  const etag = `"${sha256}"`;
  const content = { mimeType, filename, mediaId: id, etag, size, range: null, isUnchanged: false, body: null };
  if (includesVersion(headers.get("If-None-Match"), etag)) return { ...content, isUnchanged: true };
  const isSameVersion = (headers.get("If-Range") ?? etag) === etag;
  const range = isSameVersion ? rangeOf(headers.get("Range"), size) : null;
  if (range === "unsatisfiable")
    throw new AppError("range_not_satisfiable", `The file has ${size} bytes.`, { bytes: size });
  if (isHead) return { ...content, range };
  const object = await base.bucket.get(mediaKey(workspaceId, id), range === null ? {} : { range });
  if (object === null) throw gone();
  return { ...content, range, body: object.body };
}

export async function readMedia(ctx: Ctx, id: string, request: ContentRequest): Promise<ServedFile> {
  const location = { shard: ctx.workspace.shard, workspaceIds: [ctx.workspace.id] };
  const content = await openContent(ctx, location, id, request);
  if (content === null) throw notFound("file");
  return content;
}

export async function readMediaOfMember(
  base: BaseCtx,
  memberships: readonly WorkspaceRef[],
  id: string,
  request: ContentRequest,
): Promise<ServedFile> {
  for (const [shard, own] of Map.groupBy(memberships, (membership) => membership.shard)) {
    const workspaceIds = own.map((membership) => membership.id);
    const content = await openContent(base, { shard, workspaceIds }, id, request);
    if (content !== null) return content;
  }
  throw notFound("file");
}

export async function readLinkedMedia(base: BaseCtx, token: string, request: ContentRequest): Promise<ServedFile> {
  const link = await readMediaLink(token, base.now(), base.keySecret);
  const location = link && { shard: link.shard, workspaceIds: [link.workspaceId] };
  const content = location && (await openContent(base, location, link.mediaId, request));
  if (content === null) throw new AppError("not_found", "This link has expired.");
  return content;
}
