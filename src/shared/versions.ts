/**
 * True if a header such as `If-None-Match` includes this version. Weak tags also match, because compression makes tags
 * weak.
 */
export const includesVersion = (versions: string | null, etag: string): boolean =>
  versions !== null &&
  versions.split(",").some((each) => each.trim() === "*" || each.trim().replace(/^W\//, "") === etag);
