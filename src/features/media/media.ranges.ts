// HTTP range requests for a file.

/** `length` bytes from `offset`. */
export interface ByteRange {
  offset: number;
  length: number;
}

/** The bytes of a file that a request asks for. */
export interface ContentRequest {
  /** The header `Range`. */
  range: string | null;
  /** The range applies only to this version. For other versions, the response is the whole file. */
  rangeVersion: string | null;
  /** Versions that the caller already has; `*` means any. */
  knownVersions: string | null;
  /** True for a request without a body in the response. */
  isHead: boolean;
}

export const readContentRequest = ({ headers, isHead }: { headers: Headers; isHead: boolean }): ContentRequest => ({
  range: headers.get("Range"),
  rangeVersion: headers.get("If-Range"),
  knownVersions: headers.get("If-None-Match"),
  isHead,
});

const ONE_RANGE = /^bytes=(?:(\d+)-(\d*)|-(\d+))$/;

/**
 * The range that a `Range` header requests. Null means the whole file, which HTTP also allows as the response to several ranges.
 */
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
