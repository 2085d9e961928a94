export const MAX_EMAIL = 254;

const LABEL = String.raw`[\p{L}\p{N}](?:[\p{L}\p{M}\p{N}\-]{0,61}[\p{L}\p{M}\p{N}])?`;

/** The unquoted local part of RFC 5321 with the letters of RFC 6531: no empty part between dots, no colon, no bracket. */
const ATOM = String.raw`[\p{L}\p{M}\p{N}!#$%&'*+\-\/=?^_\x60\{\|\}~]+`;

const ADDRESS = new RegExp(`^(?=.{1,64}@)${ATOM}(?:\\.${ATOM})*@(?:${LABEL}\\.)+(?!\\d+$)${LABEL}$`, "v");

/** True if the address can receive mail over the internet: a host with a dot, no invisible or control characters. */
export const isEmail = (value: string): boolean => value.length <= MAX_EMAIL && ADDRESS.test(value);
