import type { RotatingSecret } from "../../shared/security/crypto.ts";
import { HOUR_MS } from "../../shared/time/durations.ts";
import { isSigned, signText } from "../../shared/security/signatures.ts";

export const mediaKey = (workspaceId: string, mediaId: string): string => `media/${workspaceId}/${mediaId}`;

const MAX_FILENAME = 240;

/**
 * Removed from file names: control characters, path separators, and format characters, which can change the direction
 * of text.
 */
const UNSAFE = /[\p{Cc}\p{Cf}\\/]+/gu;

export const isCleanFilename = (name: string): boolean => cleanFilename(name) === name;

export function cleanFilename(name: string | null | undefined): string | null {
  const last = (name ?? "").toWellFormed().split(/[\\/]/).at(-1) ?? "";
  const clean = last.replaceAll(UNSAFE, "").trim().replace(/^\.+/, "");
  if (clean === "") return null;
  const characters = Array.from(clean);
  if (characters.length <= MAX_FILENAME) return clean;
  const extension = /\.[a-z0-9]{1,10}$/i.exec(clean)?.[0] ?? "";
  return characters.slice(0, MAX_FILENAME - extension.length).join("") + extension;
}

const USE = "media-link";

export const LINK_MS = HOUR_MS;

interface LinkedMedia {
  shard: number;
  workspaceId: string;
  mediaId: string;
}

export async function mediaLinkPath(
  { shard, workspaceId, mediaId }: LinkedMedia,
  until: number,
  secret: RotatingSecret,
): Promise<string> {
  const text = [shard, workspaceId, mediaId, until].join(".");
  return `/media/${text}.${await signText(secret, USE, text)}`;
}

export async function readMediaLink(token: string, now: number, secret: RotatingSecret): Promise<LinkedMedia | null> {
  const [shard = "", workspaceId = "", mediaId = "", until = "", sum = "", ...rest] = token.split(".");
  if (rest.length > 0 || !(Number(until) > now)) return null;
  const isOurs = await isSigned(secret, USE, [shard, workspaceId, mediaId, until].join("."), sum);
  return isOurs ? { shard: Number(shard), workspaceId, mediaId } : null;
}
