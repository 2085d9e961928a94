// The order of the contact list: a menu and sortable headings.
import type { FC } from "hono/jsx";
import type { ContactOrder } from "../../../../features/contact-views/contact-views.schemas.ts";
import { Icon } from "../../../kit/icon.tsx";
import { useWorkspaceRequest } from "../../../kit/request.ts";
import type { SortableHeading } from "../../../kit/tables.tsx";
import { filterEntries, type ContactListQuery } from "./contact-filters.tsx";

type Order = ContactOrder | undefined;

const orders: readonly { order: Order; label: string }[] = [
  { order: undefined, label: "Newest first" },
  { order: "created_at", label: "Oldest first" },
  { order: "name", label: "Name, A to Z" },
  { order: "-name", label: "Name, Z to A" },
];

export const isByName = (order: Order): boolean => order === "name" || order === "-name";

/** The name index contains all contacts, so a filtered list can't use it. */
const isAvailable = (order: Order, query: ContactListQuery) => !isByName(order) || filterEntries(query).length === 0;

export const orderOf = (query: ContactListQuery): Order => (isAvailable(query.sort, query) ? query.sort : undefined);

export const orderLabel = (query: ContactListQuery): string =>
  orders.find(({ order }) => order === orderOf(query))?.label ?? "";

/** The first page of the list in another order. */
function addressIn(url: URL, order: Order): string {
  const query = new URLSearchParams(url.search);
  query.delete("cursor");
  query.delete("sort");
  if (order !== undefined) query.set("sort", order);
  return query.size === 0 ? url.pathname : `${url.pathname}?${query.toString()}`;
}

/** Sortable headings by column name. */
export function sortableHeadings(url: URL, query: ContactListQuery): ReadonlyMap<string, SortableHeading> {
  const order = orderOf(query);
  const heading = (ascending: Order, descending: Order, first: Order): SortableHeading => ({
    href: addressIn(url, order === ascending ? descending : order === descending ? ascending : first),
    sorted: order === ascending ? "ascending" : order === descending ? "descending" : undefined,
  });
  const headings = new Map([["created_at", heading("created_at", undefined, undefined)]]);
  if (isAvailable("name", query)) headings.set("name", heading("name", "-name", "name"));
  return headings;
}

export const OrderMenu: FC<{ query: ContactListQuery }> = ({ query }) => {
  const { url } = useWorkspaceRequest();
  const current = orderOf(query);
  return (
    <details class="menu end" id="order">
      <summary>
        {orderLabel(query)} <Icon name="chevron-down" size="small" />
      </summary>
      <div>
        {orders
          .filter(({ order }) => isAvailable(order, query))
          .map(({ order, label }) => (
            <a href={addressIn(url, order)} aria-current={order === current ? "true" : undefined}>
              {label}
            </a>
          ))}
        {!isAvailable("name", query) && <p class="help">By name: remove the filters first.</p>}
      </div>
    </details>
  );
};
