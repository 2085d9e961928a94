// `npm run setup`: registers the shop's webhook with Tidings. A second run keeps the webhook and renews its secret.
import { Tidings } from "@tidings/client";

const tidings = new Tidings();
const url = `${process.env.SHOP_URL}/webhooks`;

async function registerWebhook(): Promise<string> {
  const { webhooks } = await tidings.webhooks.list();
  const existing = webhooks.find((webhook) => webhook.url === url);
  const { secret } = existing
    ? await tidings.webhooks.rotateSecret(existing.id, { overlap_seconds: 0 })
    : await tidings.webhooks.create({ url, types: ["message.received"] });
  return secret;
}

console.log(`Add this to .env; it is shown only now:\n\nTIDINGS_WEBHOOK_SECRET=${await registerWebhook()}`);
