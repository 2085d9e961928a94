import { randomBytes, type RotatingSecret } from "../../shared/security/crypto.ts";
import { isSigned, secretFor, signText } from "../../shared/security/signatures.ts";

/** The secret that better-auth signs with. */
export const identitySecret = (secret: RotatingSecret): Promise<string> => secretFor(secret, "identity");

/** The value of a session's cookie: its token, signed, so that an invented one costs no I/O. */
export async function sealSession(token: string, secret: RotatingSecret): Promise<string> {
  return `${token}.${await signText(secret, "session-cookie", token)}`;
}

/** The token in a cookie that we made, else null. */
export async function openSession(cookie: string, secret: RotatingSecret): Promise<string | null> {
  const [token = "", sum = "", ...rest] = cookie.split(".");
  if (token === "" || rest.length > 0) return null;
  return (await isSigned(secret, "session-cookie", token, sum)) ? token : null;
}

/** A browser on which a user has signed in before. It opens nothing: passwords tried on it are counted apart. */
export interface Device {
  id: string;
  userId: string;
}

const randomText = (bytes: number) => randomBytes(bytes).toBase64({ alphabet: "base64url", omitPadding: true });

/** The value of a device's cookie, for this user alone, good until a moment (ms since the epoch). */
export async function sealDevice(userId: string, until: number, secret: RotatingSecret): Promise<string> {
  const text = [userId, randomText(16), until].join(".");
  return `${text}.${await signText(secret, "device-cookie", text)}`;
}

/** The device of a cookie that we made and that has not ended, else null. */
export async function openDevice(cookie: string, now: number, secret: RotatingSecret): Promise<Device | null> {
  const [userId = "", id = "", until = "", sum = "", ...rest] = cookie.split(".");
  if (rest.length > 0 || !(Number(until) > now)) return null;
  return (await isSigned(secret, "device-cookie", [userId, id, until].join("."), sum)) ? { id, userId } : null;
}

/** Sent along by forms and scripts of a session, to show that they come from a page we gave to it. */
export const forgeryToken = (sessionToken: string, secret: RotatingSecret): Promise<string> =>
  signText(secret, "forgery-token", sessionToken);

/** The secret in the link of an invitation or a reset: 256 bits. */
export const mintLinkSecret = (): string => randomText(32);

/** The path that a link leads to. Its secret is in the fragment, which browsers send to nobody: no log and no Referer holds it. */
export const linkPath = (page: "invitations" | "reset", secret: string): string => `/console/${page}#${secret}`;
