import type { z } from "zod";
import { contactChoices, listContactsQuery, presentContact } from "../../features/contacts/contacts.schemas.ts";
import { filterOf, searchContacts } from "../../features/contacts/search-contacts.ts";
import { listTags } from "../../features/tags/tags.service.ts";
import { limitParam, page as cut } from "../../http/fields.ts";
import { ButtonLink } from "../kit/actions.tsx";
import { show } from "../kit/answers.ts";
import { workspacePages } from "../kit/audiences.ts";
import { EmptyState } from "../kit/feedback.tsx";
import { Pager, Table } from "../kit/tables.tsx";
import { useWorkspace } from "../kit/visit.ts";
import { contactColumns, optionsOf } from "./contact-parts.tsx";

export const contactListPages = workspacePages();

const PER_PAGE = 50;
const MOST_TAGS = 500;

const listQuery = listContactsQuery
  .pick({ search: true, tag: true, source: true, status: true, archived: true, cursor: true })
  .extend({ limit: limitParam(PER_PAGE) });

type ListQuery = z.output<typeof listQuery>;

interface FilterOption {
  value: string;
  label: string;
}

const Choice = ({
  name,
  label,
  chosen,
  options,
}: {
  name: string;
  label: string;
  chosen: string;
  options: FilterOption[];
}) => (
  <div class="field">
    <label for={`filter-${name}`}>{label}</label>
    <select id={`filter-${name}`} name={name}>
      {options.map(({ value, label: shown }) => (
        <option value={value} selected={value === chosen}>
          {shown}
        </option>
      ))}
    </select>
  </div>
);

const Words = ({
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

/** Sent as one types; without a script by its button. */
function Filters({ query, tags }: { query: ListQuery; tags: string[] }) {
  const { tag = "" } = query;
  const names = tag === "" || tags.includes(tag) ? tags : [tag, ...tags];
  return (
    <form
      method="get"
      action={useWorkspace().path("/contacts")}
      class="filters"
      role="search"
      aria-label="Contacts"
      data-swap="results"
      data-live
    >
      <Words name="search" label="Search" value={query.search ?? ""} placeholder="Name, phone, email or company" />
      <Choice
        name="tag"
        label="Tag"
        chosen={tag}
        options={[{ value: "", label: "Any" }, ...names.map((name) => ({ value: name, label: name }))]}
      />
      <Choice
        name="status"
        label="Status"
        chosen={query.status ?? ""}
        options={[{ value: "", label: "Any" }, ...optionsOf(contactChoices.status)]}
      />
      <Words name="source" label="Source" value={query.source ?? ""} placeholder="api" />
      <Choice
        name="archived"
        label="Show"
        chosen={String(query.archived ?? false)}
        options={[
          { value: "", label: "Active" },
          { value: "true", label: "Archived" },
        ]}
      />
      <button type="submit" class="plain no-script">
        Search
      </button>
    </form>
  );
}

const filterNames = ["search", "tag", "source", "status", "archived"] as const;

/** The part of a query that says which contacts are meant, to hand on. */
export function filterParams(
  query: Partial<Record<(typeof filterNames)[number], string | boolean | undefined>>,
): string {
  const params = new URLSearchParams();
  for (const name of filterNames) {
    const value = query[name];
    if (value !== undefined) params.set(name, `${value}`);
  }
  return params.size === 0 ? "" : `?${params.toString()}`;
}

function Nothing({ query }: { query: ListQuery }) {
  const { path } = useWorkspace();
  const isFiltered = filterParams({ ...query, archived: undefined }) !== "";
  if (isFiltered || query.cursor !== undefined) {
    return (
      <EmptyState
        title={query.cursor === undefined ? "Nobody fits" : "No more contacts"}
        action={<ButtonLink href={path("/contacts")}>Show all contacts</ButtonLink>}
      >
        Try fewer letters or take a filter away.
      </EmptyState>
    );
  }
  if (query.archived === true)
    return (
      <EmptyState title="Nobody is archived">Contacts that you archive are kept here, with their history.</EmptyState>
    );
  return (
    <EmptyState
      title="No contacts yet"
      action={
        <>
          <ButtonLink kind="primary" href={path("/contacts/import")}>
            Import a CSV file
          </ButtonLink>{" "}
          <ButtonLink href={path("/contacts/new")}>Add one contact</ButtonLink>
        </>
      }
    >
      Bring the people you write to from a file, or add them one by one. Whoever writes to you becomes a contact too.
    </EmptyState>
  );
}

contactListPages.get("/contacts", { role: "agent", query: listQuery }, async ({ ctx, path }, { query }) => {
  const { limit, cursor } = query;
  const [{ rows, layout }, tags] = await Promise.all([
    searchContacts(ctx, filterOf(query), { limit, offset: 0, below: cursor?.[0], includeTotal: false }),
    listTags(ctx, MOST_TAGS),
  ]);
  const { items, nextCursor } = cut(rows, limit, ({ seq }) => [seq]);
  return show({
    title: "Contacts",
    actions: (
      <>
        <ButtonLink href={path("/contacts/import")}>Import</ButtonLink>
        <ButtonLink kind="primary" href={path("/contacts/new")}>
          New contact
        </ButtonLink>
      </>
    ),
    body: (
      <>
        <Filters query={query} tags={tags.map(({ name }) => name)} />
        <div id="results">
          {items.length === 0 ? (
            <Nothing query={query} />
          ) : (
            <>
              <Table
                caption={query.archived === true ? "Archived contacts, newest first" : "Contacts, newest first"}
                rows={items.map(({ contact }) => presentContact(contact, layout))}
                columns={contactColumns}
              />
              <div class="below">
                <Pager next={nextCursor} />
                <a href={path(`/contacts/export${filterParams(query)}`)}>Export these contacts</a>
              </div>
            </>
          )}
        </div>
      </>
    ),
  });
});
