/** True where versions, as in the header `If-None-Match`, include this one. A tag that compressing has made weak counts as the same. */
export const includesVersion = (versions: string | null, etag: string): boolean =>
  versions !== null &&
  versions.split(",").some((each) => each.trim() === "*" || each.trim().replace(/^W\//, "") === etag);
