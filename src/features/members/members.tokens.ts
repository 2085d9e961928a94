import { constantTimeEqual, hmacSha256, type RotatingSecret, secretsOf } from "../../shared/crypto.ts";

/** A secret of its own for each use, so that none tells anything of another or of the one that encrypts. */
const derive = async (secret: string, use: string) => (await hmacSha256(secret, use)).toHex();

const signature = async (secret: string, use: string, text: string) =>
  (await hmacSha256(await derive(secret, use), text)).toBase64({ alphabet: "base64url", omitPadding: true });

/** What better-auth signs with, where it signs. */
export const identitySecret = (secret: RotatingSecret): Promise<string> => derive(secretsOf(secret)[0], "identity");

/** The value of a session's cookie: its token, signed, so that an invented one costs no I/O. */
export async function sealSession(token: string, secret: RotatingSecret): Promise<string> {
  return `${token}.${await signature(secretsOf(secret)[0], "session-cookie", token)}`;
}

/** The token in a cookie that we made under any secret still accepted, else null. */
export async function openSession(cookie: string, secret: RotatingSecret): Promise<string | null> {
  const [token = "", sum = "", ...rest] = cookie.split(".");
  if (token === "" || rest.length > 0) return null;
  const signatures = await Promise.all(secretsOf(secret).map((each) => signature(each, "session-cookie", token)));
  const matches = await Promise.all(signatures.map((each) => constantTimeEqual(sum, each)));
  return matches.includes(true) ? token : null;
}

/** What forms and scripts of a session send along, to show that they come from a page we gave to it. */
export const forgeryToken = (sessionToken: string, secret: RotatingSecret): Promise<string> =>
  signature(secretsOf(secret)[0], "forgery-token", sessionToken);

/** The secret in an invitation's link: 256 bits. */
export const mintInvitationSecret = (): string =>
  crypto.getRandomValues(new Uint8Array(32)).toBase64({ alphabet: "base64url", omitPadding: true });
