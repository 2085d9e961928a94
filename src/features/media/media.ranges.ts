// One range of a file, as HTTP has it.

/** From `offset`, `length` bytes. */
export interface ByteRange {
  offset: number;
  length: number;
}

/** The bytes of a file that a request wants. */
export interface ContentRequest {
  /** As in the header `Range`. */
  range: string | null;
  /** The range holds for this version only; the whole file is wanted of another. */
  rangeVersion: string | null;
  /** Versions that the caller has, which are not sent again; `*` for any. */
  knownVersions: string | null;
  /** No bytes are read. */
  isHead: boolean;
}

export const readContentRequest = ({ headers, isHead }: { headers: Headers; isHead: boolean }): ContentRequest => ({
  range: headers.get("Range"),
  rangeVersion: headers.get("If-Range"),
  knownVersions: headers.get("If-None-Match"),
  isHead,
});

const ONE_RANGE = /^bytes=(?:(\d+)-(\d*)|-(\d+))$/;

/** The range that a header `Range` asks for. Null for the whole file, also for several ranges, which may be answered so. */
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
