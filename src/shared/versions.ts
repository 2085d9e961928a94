/** Compares ETags, for example those in `If-None-Match`. Compression makes ETags weak, so weak ones match, too. */
export const includesVersion = (versions: string | null, etag: string): boolean =>
  versions !== null &&
  versions.split(",").some((each) => each.trim() === "*" || each.trim().replace(/^W\//, "") === etag);
