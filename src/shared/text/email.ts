export const MAX_EMAIL = 254;

const LABEL = String.raw`[\p{L}\p{N}](?:[\p{L}\p{M}\p{N}\-]{0,61}[\p{L}\p{M}\p{N}])?`;

/** The text between two dots in front of the `@`: unquoted as in RFC 5321, with the letters of RFC 6531. */
const ATOM = String.raw`[\p{L}\p{M}\p{N}!#$%&'*+\-\/=?^_\x60\{\|\}~]+`;

const ADDRESS = new RegExp(`^(?=.{1,64}@)${ATOM}(?:\\.${ATOM})*@(?:${LABEL}\\.)+(?!\\d+$)${LABEL}$`, "v");

/**
 * True if the address can receive mail over the internet. The host must have a dot, and invisible and control
 * characters are not allowed.
 */
export const isEmail = (value: string): boolean => value.length <= MAX_EMAIL && ADDRESS.test(value);
