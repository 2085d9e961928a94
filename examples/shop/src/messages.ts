import { Tidings, TidingsError, type Message } from "@tidings/client";
import { latestOrderOf, type Order } from "./orders.ts";

// Reads TIDINGS_API_KEY and TIDINGS_BASE_URL from the environment.
const tidings = new Tidings();

/** Notifies the customer that the order is on its way. Returns false if the customer has opted out. */
export async function sendOrderUpdate(order: Order): Promise<boolean> {
  try {
    const { contact_id } = await tidings.messages.send(
      { to: order.phone, text: `Your order ${order.id} (${order.item}) is on its way.` },
      // The customer receives one message, however often the order is marked as shipped.
      { idempotencyKey: `order-${order.reference}-shipped` },
    );
    order.contactId = contact_id;
    return true;
  } catch (error) {
    if (error instanceof TidingsError && error.code === "unsubscribed") return false;
    throw error;
  }
}

/** The last reply to each contact. */
const lastAnswers = new Map<string, string>();

/**
 * Replies to a customer. The event's id as idempotency key prevents a second reply if the event is delivered twice.
 * The same reply is never sent twice in a row, because two programs that reply to each other would never stop.
 */
export async function answerMessage({ contact_id, conversation_id }: Message, eventId: string): Promise<void> {
  if (conversation_id === null) return;
  const order = latestOrderOf(contact_id);
  const text = order
    ? `Your order ${order.id} (${order.item}) has been ${order.status}. It takes two days to arrive.`
    : "Thanks for your message. We'll be with you shortly.";
  if (lastAnswers.get(contact_id) === text) return;
  await tidings.conversations.reply(conversation_id, { text }, { idempotencyKey: eventId });
  lastAnswers.set(contact_id, text);
}
