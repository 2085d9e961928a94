import * as z from "zod";
import {
  columnsParam,
  contactOrder,
  type ContactOrder,
} from "../../../../features/contact-views/contact-views.schemas.ts";
import { contactFields } from "../../../../features/contacts/contact-fields.schemas.ts";
import { listContactsQuery } from "../../../../features/contacts/contacts.schemas.ts";
import { cursorParam, limitParam } from "../../../../http/fields.ts";
import { labelOptions } from "../../../kit/format.ts";
import { FilterSelect } from "../../../kit/forms/choice-fields.tsx";
import { useWorkspaceRequest } from "../../../kit/request.ts";
import type { FC } from "hono/jsx";
import { Icon } from "../../../kit/icon.tsx";
import type { SortableHeading } from "../../../kit/tables.tsx";

const PER_PAGE = 50;

export const contactFilterQuery = listContactsQuery.pick({
  search: true,
  tag: true,
  source: true,
  status: true,
  archived: true,
});

/** A cursor contains only a number in the default order, but a name and a number in the order by name. */
export const contactListQuery = contactFilterQuery.extend({
  cursor: cursorParam(z.union([z.tuple([z.int()]), z.tuple([z.string(), z.int()])])),
  limit: limitParam(PER_PAGE),
  columns: columnsParam,
  sort: contactOrder.optional(),
});

export type ContactListQuery = z.output<typeof contactListQuery>;

const SearchField = ({
  name,
  label,
  value,
  ...rest
}: {
  name: string;
  label: string;
  value: string;
  placeholder?: string;
}) => (
  <div class="field">
    <label for={`filter-${name}`}>{label}</label>
    <input type="search" id={`filter-${name}`} name={name} value={value} maxlength={100} autocomplete="off" {...rest} />
  </div>
);

interface FiltersProps {
  query: ContactListQuery;
  tags: string[];
  columns: string | undefined;
  sort: ContactOrder | undefined;
}

export function ContactFilters({ query, tags, columns, sort }: FiltersProps) {
  const { tag = "" } = query;
  const names = tag === "" || tags.includes(tag) ? tags : [tag, ...tags];
  return (
    <form
      method="get"
      action={useWorkspaceRequest().path("/contacts")}
      class="filters"
      role="search"
      aria-label="Contacts"
      data-swap="views results"
      data-live
    >
      <SearchField
        name="search"
        label="Search"
        value={query.search ?? ""}
        placeholder="Name, phone, email or company"
      />
      <FilterSelect
        name="tag"
        label="Tag"
        chosen={tag}
        options={[{ value: "", label: "Any" }, ...names.map((name) => ({ value: name, label: name }))]}
      />
      <FilterSelect
        name="status"
        label="Status"
        chosen={query.status ?? ""}
        options={[{ value: "", label: "Any" }, ...labelOptions(contactFields.status.options)]}
      />
      <SearchField name="source" label="Source" value={query.source ?? ""} />
      <FilterSelect
        name="archived"
        label="Show"
        chosen={String(query.archived ?? false)}
        options={[
          { value: "", label: "Active" },
          { value: "true", label: "Archived" },
        ]}
      />
      {columns !== undefined && <input type="hidden" name="columns" value={columns} />}
      {sort !== undefined && <input type="hidden" name="sort" value={sort} />}
      <button type="submit" class="plain no-script">
        Search
      </button>
    </form>
  );
}

const filterNames = ["search", "tag", "source", "status", "archived"] as const;

type Filters = Partial<Record<(typeof filterNames)[number], string | boolean | undefined>>;

export const filterEntries = (query: Filters): [name: string, value: string][] =>
  filterNames.flatMap((name) => {
    const value = query[name];
    return value === undefined ? [] : [[name, `${value}`]];
  });

export function filterParams(query: Filters): string {
  const params = new URLSearchParams(filterEntries(query));
  return params.size === 0 ? "" : `?${params.toString()}`;
}

type Order = ContactOrder | undefined;

const orders: readonly { order: Order; label: string }[] = [
  { order: undefined, label: "Newest first" },
  { order: "created_at", label: "Oldest first" },
  { order: "name", label: "Name, A to Z" },
  { order: "-name", label: "Name, Z to A" },
];

export const isByName = (order: Order): boolean => order === "name" || order === "-name";

/** A filtered list has no order by name, because the database index for names covers only the list of all contacts. */
const isAvailable = (order: Order, query: ContactListQuery) => !isByName(order) || filterEntries(query).length === 0;

export const orderOf = (query: ContactListQuery): Order => (isAvailable(query.sort, query) ? query.sort : undefined);

export const orderLabel = (query: ContactListQuery): string =>
  orders.find(({ order }) => order === orderOf(query))?.label ?? "";

function addressIn(url: URL, order: Order): string {
  const query = new URLSearchParams(url.search);
  query.delete("cursor");
  query.delete("sort");
  if (order !== undefined) query.set("sort", order);
  return query.size === 0 ? url.pathname : `${url.pathname}?${query.toString()}`;
}

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
        {!isAvailable("name", query) && <p class="help">Remove the filters to sort by name.</p>}
      </div>
    </details>
  );
};
