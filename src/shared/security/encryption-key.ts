// This file must not import code of the Worker, because `npm start` imports it in Node.

const BYTES = 32;
/**
 * A key with fewer distinct bytes is rejected as not random. 32 random bytes have about 30 distinct values, and
 * fewer than one in 10^16 random keys has less than 16.
 */
const DISTINCT_BYTES = 16;

function bytesOfBase64(text: string): number[] | null {
  try {
    return [...atob(text)].map((character) => character.charCodeAt(0));
  } catch {
    return null;
  }
}

const isPrintable = (byte: number): boolean => byte >= 0x20 && byte <= 0x7e;

/** Finds keys that somebody typed instead of generating them, such as the bytes 0, 1, 2, … or 32 equal bytes. */
const isSequence = (bytes: number[]): boolean => {
  const steps = bytes.slice(1).map((byte, index) => (byte - (bytes[index] ?? 0) + 256) % 256);
  return new Set(steps).size === 1;
};

export function faultOfEncryptionKey(value: string | undefined): string | null {
  const text = value?.trim() ?? "";
  if (text === "") return "is not set";
  const bytes = bytesOfBase64(text);
  if (bytes === null) return "is not standard base64";
  if (bytes.length !== BYTES) return `holds ${bytes.length} bytes, not ${BYTES}`;
  if (bytes.every(isPrintable)) return "is base64 of a text, which can be guessed";
  if (new Set(bytes).size < DISTINCT_BYTES || isSequence(bytes)) return "is a pattern, which can be guessed";
  return null;
}

export const HOW_TO_MAKE_A_KEY = "It must be 32 random bytes in base64: openssl rand -base64 32";
