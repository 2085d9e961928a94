/**
 * Compares ETags, such as those in `If-None-Match`. Weak ETags match too, because a proxy that compresses a
 * response makes its ETag weak.
 */
export const includesVersion = (versions: string | null, etag: string): boolean =>
  versions !== null &&
  versions.split(",").some((each) => each.trim() === "*" || each.trim().replace(/^W\//, "") === etag);
