// One range of a file, as HTTP has it.

/** From `offset`, `length` bytes. */
export interface ByteRange {
  offset: number;
  length: number;
}

const ONE_RANGE = /^bytes=(?:(\d+)-(\d*)|-(\d+))$/;

/** The range that a `Range` header asks for. Null for the whole file, also for several ranges, which may be answered so. */
export function rangeOf(header: string | null, size: number): ByteRange | "unsatisfiable" | null {
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

/** True where `If-None-Match` names the version, or any. */
export const namesVersion = (header: string | null, etag: string): boolean =>
  header !== null && header.split(",").some((each) => each.trim() === "*" || each.trim().replace(/^W\//, "") === etag);
