/** Compares ETags, for example those in `If-None-Match`. Compression makes tags weak, so weak tags match, too. */
export const includesVersion = (versions: string | null, etag: string): boolean =>
  versions !== null &&
  versions.split(",").some((each) => each.trim() === "*" || each.trim().replace(/^W\//, "") === etag);
