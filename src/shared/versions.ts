/** True if a header such as `If-None-Match` includes this version. A weak tag matches: compression weakens tags. */
export const includesVersion = (versions: string | null, etag: string): boolean =>
  versions !== null &&
  versions.split(",").some((each) => each.trim() === "*" || each.trim().replace(/^W\//, "") === etag);
