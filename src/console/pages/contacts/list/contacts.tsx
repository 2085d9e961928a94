import { presentContact } from "../../../../features/contacts/contacts.schemas.ts";
import { viewQuery } from "../../../../features/contact-views/contact-views.schemas.ts";
import { getListParts } from "../../../../features/contact-views/contact-views.service.ts";
import { isAtLeast } from "../../../../shared/access/actor.ts";
import { ButtonLink } from "../../../kit/actions.tsx";
import { workspacePages } from "../../../kit/audiences.ts";
import { EmptyState } from "../../../kit/feedback.tsx";
import { Form } from "../../../kit/forms/form-fields.tsx";
import { formatCount, formatNumber } from "../../../kit/format.ts";
import { Pager, Table } from "../../../kit/tables.tsx";
import { useWorkspaceRequest } from "../../../kit/request.ts";
import { Page } from "../../../kit/page/page.tsx";
import { EXPORT_ROLE } from "../contact-export.tsx";
import {
  ContactFilters,
  filterEntries,
  filterParams,
  type ContactListQuery,
  contactListQuery,
  OrderMenu,
  orderLabel,
  orderOf,
  sortableHeadings,
  isByName,
} from "./contact-filters.tsx";
import { chooseColumns, ColumnMenu } from "./contact-columns.tsx";
import { BULK_FORM } from "../contact-parts.tsx";
import { ViewMenu, ViewTabs } from "./contact-views.tsx";
import { listContactsByName } from "../../../../features/contacts/search/list-contacts-by-name.ts";
import {
  type ContactHits,
  contactFilterFromQuery,
  searchContacts,
} from "../../../../features/contacts/search/search-contacts.ts";
import { encodeCursor } from "../../../../http/fields.ts";
import type { Ctx } from "../../../../shared/context.ts";
import { nullIfBusy } from "../../../kit/null-if-busy.ts";

export const contactListPages = workspacePages();

interface ContactListPage extends Omit<ContactHits, "next"> {
  nextCursor: string | null;
}

async function readContactList(ctx: Ctx, query: ContactListQuery): Promise<ContactListPage> {
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

function NoContacts({ query }: { query: ContactListQuery }) {
  const { path } = useWorkspaceRequest();
  const isFiltered = filterParams({ ...query, archived: undefined }) !== "";
  if (isFiltered || query.cursor !== undefined) {
    return (
      <EmptyState
        title={query.cursor === undefined ? "No contacts match" : "No more contacts"}
        action={<ButtonLink href={path("/contacts")}>Show all contacts</ButtonLink>}
      >
        Try a shorter search or remove a filter.
      </EmptyState>
    );
  }
  if (query.archived === true)
    return <EmptyState title="No archived contacts">Archived contacts appear here, with their history.</EmptyState>;
  return (
    <EmptyState
      title="No contacts yet"
      action={
        <>
          <ButtonLink kind="primary" href={path("/contacts/import")}>
            Import a CSV file
          </ButtonLink>{" "}
          <ButtonLink href={path("/contacts/new")}>Add contact</ButtonLink>
        </>
      }
    >
      Import contacts from a file or add them one by one. Anyone who writes to you becomes a contact, too.
    </EmptyState>
  );
}

const ListActions = ({ query, total }: { query: ContactListQuery; total: number | null }) => (
  <div class="list-actions">
    <span>{total === null ? "Many contacts" : formatCount(total, "contact")}</span>
    {filterEntries(query).map(([name, value]) => (
      <input type="hidden" name={`filter.${name}`} value={value} />
    ))}
    <button type="submit" class="plain" name="scope" value="ids" data-ticked="Edit # selected">
      Edit selected
    </button>
    <button type="submit" class="plain" name="scope" value="all">
      {total === null ? "Edit all matching" : `Edit all ${formatNumber(total)}`}
    </button>
  </div>
);

contactListPages.get(
  "/contacts",
  { role: "agent", query: contactListQuery },
  async ({ ctx, path, url, workspace }, { query }) => {
    const [{ rows, layout, nextCursor, total }, { views, tags, fields }] = await Promise.all([
      readContactList(ctx, query),
      getListParts(ctx),
    ]);
    const sort = orderOf(query);
    const chosen = chooseColumns(url, fields);
    const current = { views, query: viewQuery({ ...query, columns: chosen.param, sort }) };
    return (
      <Page
        title="Contacts"
        scripts={["pages/contacts.client.js"]}
        actions={
          <>
            <ButtonLink href={path("/contacts/import")}>Import</ButtonLink>
            <ButtonLink kind="primary" href={path("/contacts/new")} shortcut="c">
              New contact
            </ButtonLink>
          </>
        }
      >
        <ViewTabs {...current} />
        <ContactFilters query={query} tags={tags.map(({ name }) => name)} columns={chosen.param} sort={sort} />
        <div id="results">
          <div class="list-head">
            {rows.length > 0 && (
              <Form action={path("/contacts/bulk/choose")} id={BULK_FORM}>
                <ListActions query={query} total={total} />
              </Form>
            )}
            <div class="list-tools">
              <ViewMenu {...current} />
              <OrderMenu query={query} />
              <ColumnMenu
                chosen={chosen}
                kept={[...filterEntries(query), ...(sort === undefined ? [] : [["sort", sort] as const])]}
              />
            </div>
          </div>
          {rows.length === 0 ? (
            <NoContacts query={query} />
          ) : (
            <>
              <Table
                caption={`${query.archived === true ? "Archived contacts" : "Contacts"}: ${orderLabel(query)}`}
                rows={rows.map(({ contact }) => presentContact(contact, layout))}
                columns={chosen.columns}
                isCompact
                sortable={sortableHeadings(url, query)}
              />
              <div class="below">
                <Pager next={nextCursor} />
                <a href={path("/contacts/jobs")}>Bulk edits</a>
                {isAtLeast(workspace.role, EXPORT_ROLE) && (
                  <a href={path(`/contacts/export${filterParams(query)}`)}>Export contacts</a>
                )}
              </div>
            </>
          )}
        </div>
      </Page>
    );
  },
);
