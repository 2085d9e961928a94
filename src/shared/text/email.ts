export const MAX_EMAIL = 254;

const LABEL = String.raw`[\p{L}\p{N}](?:[\p{L}\p{M}\p{N}\-]{0,61}[\p{L}\p{M}\p{N}])?`;

/**
 * The characters between two dots in the part before the `@`. Allows letters of all scripts (RFC 6531), but no
 * quotes (RFC 5321).
 */
const ATOM = String.raw`[\p{L}\p{M}\p{N}!#$%&'*+\-\/=?^_\x60\{\|\}~]+`;

const ADDRESS = new RegExp(`^(?=.{1,64}@)${ATOM}(?:\\.${ATOM})*@(?:${LABEL}\\.)+(?!\\d+$)${LABEL}$`, "v");

export const isEmail = (value: string): boolean => value.length <= MAX_EMAIL && ADDRESS.test(value);
