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

const PER_PAGE = 50;

/** The API's filters. */
export const contactFilterQuery = listContactsQuery.pick({
  search: true,
  tag: true,
  source: true,
  status: true,
  archived: true,
});

/** A cursor is only valid for its own order. */
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
  /** The selected columns, if any. */
  columns: string | undefined;
  sort: ContactOrder | undefined;
}

/** Submitted while typing; without scripts, by a button. */
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

/** The active filters as text. */
export const filterEntries = (query: Filters): [name: string, value: string][] =>
  filterNames.flatMap((name) => {
    const value = query[name];
    return value === undefined ? [] : [[name, `${value}`]];
  });

/** The filters as a query string for another page. */
export function filterParams(query: Filters): string {
  const params = new URLSearchParams(filterEntries(query));
  return params.size === 0 ? "" : `?${params.toString()}`;
}
