// `npm run setup`, once: has Tidings send what customers write to this shop.
import { Tidings } from "@tidings/client";

const tidings = new Tidings();
const { secret } = await tidings.webhooks.create({
  url: `${process.env.SHOP_URL}/webhooks`,
  types: ["message.received"],
});
console.log(`Add this to .env; it is shown only now:\n\nTIDINGS_WEBHOOK_SECRET=${secret}`);
