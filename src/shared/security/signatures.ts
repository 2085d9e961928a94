import { constantTimeEqual, hmacSha256, type RotatingSecret, secretsOf } from "./crypto.ts";

/**
 * Derives a separate secret for each purpose, so that one leaked secret reveals neither the others nor the
 * encryption key.
 */
const derive = async (secret: string, use: string) => (await hmacSha256(secret, use)).toHex();

const signatureUnder = async (secret: string, use: string, text: string) =>
  (await hmacSha256(await derive(secret, use), text)).toBase64({ alphabet: "base64url", omitPadding: true });

export const secretFor = (secret: RotatingSecret, use: string): Promise<string> => derive(secretsOf(secret)[0], use);

export const signText = (secret: RotatingSecret, use: string, text: string): Promise<string> =>
  signatureUnder(secretsOf(secret)[0], use, text);

export async function isSigned(secret: RotatingSecret, use: string, text: string, sum: string): Promise<boolean> {
  const signatures = await Promise.all(secretsOf(secret).map((each) => signatureUnder(each, use, text)));
  const matches = await Promise.all(signatures.map((each) => constantTimeEqual(sum, each)));
  return matches.includes(true);
}
