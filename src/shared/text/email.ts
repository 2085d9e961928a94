export const MAX_EMAIL = 254;

const LABEL = String.raw`[\p{L}\p{N}](?:[\p{L}\p{M}\p{N}\-]{0,61}[\p{L}\p{M}\p{N}])?`;

/**
 * The text between two dots before the `@`. Quotes (RFC 5321) are not supported, but letters of all scripts
 * (RFC 6531) are.
 */
const ATOM = String.raw`[\p{L}\p{M}\p{N}!#$%&'*+\-\/=?^_\x60\{\|\}~]+`;

const ADDRESS = new RegExp(`^(?=.{1,64}@)${ATOM}(?:\\.${ATOM})*@(?:${LABEL}\\.)+(?!\\d+$)${LABEL}$`, "v");

export const isEmail = (value: string): boolean => value.length <= MAX_EMAIL && ADDRESS.test(value);
