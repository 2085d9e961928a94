import { createServer, type IncomingMessage } from "node:http";
import { text } from "node:stream/consumers";
import { TidingsError, webhooks } from "@tidings/client";
import { answerMessage, sendOrderUpdate } from "./messages.ts";
import { findOrder, placeOrder } from "./orders.ts";

const { PORT = "3000", TIDINGS_WEBHOOK_SECRET = "" } = process.env;

interface Reply {
  status: number;
  body?: unknown;
}

async function handle(request: IncomingMessage): Promise<Reply> {
  const [, resource, id, action] = (request.url ?? "").split("/");
  if (request.method !== "POST") return { status: 405 };
  if (resource === "webhooks") return receiveEvents(await text(request), request.headers);
  if (resource === "orders" && id === undefined) {
    const { phone, item } = readJson(await text(request)) ?? {};
    if (typeof phone !== "string" || typeof item !== "string") return { status: 400 };
    return { status: 201, body: placeOrder(phone, item) };
  }
  const order = resource === "orders" && action === "ship" ? findOrder(id ?? "") : undefined;
  if (order === undefined) return { status: 404 };
  order.status = "shipped";
  return { status: 200, body: { order, notified: await sendOrderUpdate(order) } };
}

/** Returns null if the body is not JSON. */
function readJson(body: string) {
  try {
    return JSON.parse(body);
  } catch {
    return null;
  }
}

/** Handles a delivery: one event, or several if the webhook has `batch`. */
async function receiveEvents(body: string, headers: IncomingMessage["headers"]): Promise<Reply> {
  const delivery = webhooks.verify(body, headers, TIDINGS_WEBHOOK_SECRET);
  for (const event of delivery.events ?? [delivery]) {
    if (event.type === "message.received" && event.data.message) await answerMessage(event.data.message, event.id);
  }
  return { status: 204 };
}

const server = createServer(async (request, response) => {
  try {
    const { status, body } = await handle(request);
    response.writeHead(status, { "Content-Type": "application/json" });
    response.end(body === undefined ? "" : JSON.stringify(body));
  } catch (error) {
    // After a 5xx, Tidings delivers the event again. A request with an invalid signature returns 401.
    const isForged = error instanceof TidingsError && error.code === "invalid_signature";
    if (!isForged) console.error(error);
    response.writeHead(isForged ? 401 : 500).end();
  }
});

server.listen(Number(PORT), () => console.log(`The shop is open at http://localhost:${PORT}`));
