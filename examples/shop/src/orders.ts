import { randomUUID } from "node:crypto";

export interface Order {
  id: string;
  /** Unique across restarts, unlike the id, which counts from 1001 at each start. */
  reference: string;
  phone: string;
  item: string;
  status: "packed" | "shipped";
  /** The customer's contact in Tidings, set with the first message. */
  contactId: string | null;
}

// A real shop stores orders in a database.
const orders = new Map<string, Order>();

export function placeOrder(phone: string, item: string): Order {
  const id = String(1001 + orders.size);
  const order: Order = { id, reference: randomUUID(), phone, item, status: "packed", contactId: null };
  orders.set(order.id, order);
  return order;
}

export const findOrder = (id: string): Order | undefined => orders.get(id);

export const latestOrderOf = (contactId: string): Order | undefined =>
  [...orders.values()].findLast((order) => order.contactId === contactId);
