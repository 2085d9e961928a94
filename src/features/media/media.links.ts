import type { RotatingSecret } from "../../shared/security/crypto.ts";
import { HOUR_MS } from "../../shared/time/durations.ts";
import { isSigned, signText } from "../../shared/security/signatures.ts";

const USE = "media-link";

export const LINK_MS = HOUR_MS;

/** The file of a link. */
export interface LinkedMedia {
  shard: number;
  workspaceId: string;
  mediaId: string;
}

/** The path of a public link to a file, valid until a time (ms since the epoch). */
export async function mediaLinkPath(
  { shard, workspaceId, mediaId }: LinkedMedia,
  until: number,
  secret: RotatingSecret,
): Promise<string> {
  const text = [shard, workspaceId, mediaId, until].join(".");
  return `/media/${text}.${await signText(secret, USE, text)}`;
}

/** The file of a link that we signed and that has not expired, else null. */
export async function readMediaLink(token: string, now: number, secret: RotatingSecret): Promise<LinkedMedia | null> {
  const [shard = "", workspaceId = "", mediaId = "", until = "", sum = "", ...rest] = token.split(".");
  if (rest.length > 0 || !(Number(until) > now)) return null;
  const isOurs = await isSigned(secret, USE, [shard, workspaceId, mediaId, until].join("."), sum);
  return isOurs ? { shard: Number(shard), workspaceId, mediaId } : null;
}
