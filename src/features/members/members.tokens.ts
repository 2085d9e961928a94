import { randomBytes, type RotatingSecret } from "../../shared/security/crypto.ts";
import { isSigned, secretFor, signText } from "../../shared/security/signatures.ts";

export const identitySecret = (secret: RotatingSecret): Promise<string> => secretFor(secret, "identity");

/** Signs the token, so that a forged cookie is rejected without a query. */
export async function sealSession(token: string, secret: RotatingSecret): Promise<string> {
  return `${token}.${await signText(secret, "session-cookie", token)}`;
}

export async function openSession(cookie: string, secret: RotatingSecret): Promise<string | null> {
  const [token = "", sum = "", ...rest] = cookie.split(".");
  if (token === "" || rest.length > 0) return null;
  return (await isSigned(secret, "session-cookie", token, sum)) ? token : null;
}

/**
 * A browser on which a user has signed in before. This does not grant access: we only count its password attempts
 * separately.
 */
export interface Device {
  id: string;
  userId: string;
}

const randomText = (bytes: number) => randomBytes(bytes).toBase64({ alphabet: "base64url", omitPadding: true });

export async function sealDevice(userId: string, until: number, secret: RotatingSecret): Promise<string> {
  const text = [userId, randomText(16), until].join(".");
  return `${text}.${await signText(secret, "device-cookie", text)}`;
}

export async function openDevice(cookie: string, now: number, secret: RotatingSecret): Promise<Device | null> {
  const [userId = "", id = "", until = "", sum = "", ...rest] = cookie.split(".");
  if (rest.length > 0 || !(Number(until) > now)) return null;
  return (await isSigned(secret, "device-cookie", [userId, id, until].join("."), sum)) ? { id, userId } : null;
}

/**
 * The forms and scripts of a page send this token. The token proves that the request comes from a page of the session
 * and not from another site.
 */
export const forgeryToken = (sessionToken: string, secret: RotatingSecret): Promise<string> =>
  signText(secret, "forgery-token", sessionToken);

export const mintLinkSecret = (): string => randomText(32);

/**
 * The secret is in the fragment of the URL, which browsers do not send. Therefore no log and no Referer contains it.
 */
export const linkPath = (page: "invitations" | "reset", secret: string): string => `/console/${page}#${secret}`;
