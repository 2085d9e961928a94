export const MAX_EMAIL = 254;

const LABEL = String.raw`[\p{L}\p{N}](?:[\p{L}\p{M}\p{N}\-]{0,61}[\p{L}\p{M}\p{N}])?`;

/**
 * The part before the `@` consists of atoms, separated by dots. Letters of all scripts are allowed (RFC 6531).
 * The quoted form of RFC 5321, such as `"ada b"@example.com`, is not.
 */
const ATOM = String.raw`[\p{L}\p{M}\p{N}!#$%&'*+\-\/=?^_\x60\{\|\}~]+`;

const ADDRESS = new RegExp(`^(?=.{1,64}@)${ATOM}(?:\\.${ATOM})*@(?:${LABEL}\\.)+(?!\\d+$)${LABEL}$`, "v");

export const isEmail = (value: string): boolean => value.length <= MAX_EMAIL && ADDRESS.test(value);
