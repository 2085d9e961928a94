export interface Order {
  id: string;
  phone: string;
  item: string;
  status: "packed" | "shipped";
  /** The customer in Tidings, once they have been written to. */
  contactId: string | null;
}

// A real shop keeps them in a database.
const orders = new Map<string, Order>();

export function placeOrder(phone: string, item: string): Order {
  const order: Order = { id: String(1001 + orders.size), phone, item, status: "packed", contactId: null };
  orders.set(order.id, order);
  return order;
}

export const findOrder = (id: string): Order | undefined => orders.get(id);

export const latestOrderOf = (contactId: string): Order | undefined =>
  [...orders.values()].findLast((order) => order.contactId === contactId);
