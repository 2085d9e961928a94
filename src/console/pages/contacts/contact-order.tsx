// The order of the list of contacts: the menu that chooses it, and the columns whose heading does.
import type { FC } from "hono/jsx";
import {
  type ContactHits,
  contactFilterFromQuery,
  searchContacts,
} from "../../../features/contacts/search-contacts.ts";
import { listContactsByName } from "../../../features/contacts/list-contacts-by-name.ts";
import type { ContactOrder } from "../../../features/contact-views/contact-views.orders.ts";
import { encodeCursor } from "../../../http/fields.ts";
import type { Ctx } from "../../../shared/context.ts";
import { Icon } from "../../kit/icon.tsx";
import { nullIfBusy } from "../../kit/null-if-busy.ts";
import { useWorkspaceRequest } from "../../kit/request.ts";
import type { SortableHeading } from "../../kit/tables.tsx";
import { filterEntries, type ContactListQuery } from "./contact-filters.tsx";

type Order = ContactOrder | undefined;

const orders: readonly { order: Order; label: string }[] = [
  { order: undefined, label: "Newest first" },
  { order: "created_at", label: "Oldest first" },
  { order: "name", label: "Name, A to Z" },
  { order: "-name", label: "Name, Z to A" },
];

const isByName = (order: Order) => order === "name" || order === "-name";

/** An index has the names of all contacts in order, not those of each filter. */
const isAvailable = (order: Order, query: ContactListQuery) => !isByName(order) || filterEntries(query).length === 0;

/** The order in which a list is shown. */
export const orderOf = (query: ContactListQuery): Order => (isAvailable(query.sort, query) ? query.sort : undefined);

export const orderLabel = (query: ContactListQuery): string =>
  orders.find(({ order }) => order === orderOf(query))?.label ?? "";

interface ContactListPage extends Omit<ContactHits, "next"> {
  nextCursor: string | null;
}

/** A page of the list, with its total where counting takes no long turn. */
export async function readContactList(ctx: Ctx, query: ContactListQuery): Promise<ContactListPage> {
  const { limit, cursor } = query;
  const order = orderOf(query);
  const [first, second] = cursor ?? [];
  const read = async (includeTotal: boolean): Promise<ContactListPage> => {
    if (isByName(order)) {
      const after: [string, number] | undefined =
        typeof first === "string" && second !== undefined ? [first, second] : undefined;
      const found = await listContactsByName(ctx, { limit, after, isDescending: order === "-name", includeTotal });
      return { ...found, nextCursor: found.next === null ? null : encodeCursor(found.next) };
    }
    const after = typeof first === "number" ? first : undefined;
    const page = { limit, offset: 0, after, isOldestFirst: order === "created_at", includeTotal };
    const found = await searchContacts(ctx, contactFilterFromQuery(query), page);
    return { ...found, nextCursor: found.next === null ? null : encodeCursor([found.next]) };
  };
  return (await nullIfBusy(read(true))) ?? read(false);
}

/** The address of the list in another order, from its beginning. */
function addressIn(url: URL, order: Order): string {
  const query = new URLSearchParams(url.search);
  query.delete("cursor");
  query.delete("sort");
  if (order !== undefined) query.set("sort", order);
  return query.size === 0 ? url.pathname : `${url.pathname}?${query.toString()}`;
}

/** The headings that change the order, by the name of their column. */
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
