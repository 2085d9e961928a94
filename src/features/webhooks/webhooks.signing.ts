import { Webhook } from "standardwebhooks";

export function signedHeaders(
  { id, body, now }: { id: string; body: string; now: number },
  secrets: readonly string[],
): Record<string, string> {
  const at = new Date(now);
  return {
    "Content-Type": "application/json",
    "User-Agent": "Tidings-Webhooks/1",
    "webhook-id": id,
    "webhook-timestamp": String(Math.floor(now / 1000)),
    "webhook-signature": secrets.map((secret) => new Webhook(secret).sign(id, at, body)).join(" "),
  };
}
