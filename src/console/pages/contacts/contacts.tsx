import { presentContact } from "../../../features/contacts/contacts.schemas.ts";
import { contactFilterFromQuery, searchContacts } from "../../../features/contacts/search-contacts.ts";
import { listTags } from "../../../features/tags/tags.service.ts";
import { encodeCursor } from "../../../http/fields.ts";
import { isAtLeast } from "../../../shared/actor.ts";
import { ButtonLink } from "../../kit/actions.tsx";
import { showPage } from "../../kit/results.ts";
import { workspacePages } from "../../kit/audiences.ts";
import { EmptyState } from "../../kit/feedback.tsx";
import { Pager, Table } from "../../kit/tables.tsx";
import { useWorkspaceRequest } from "../../kit/request.ts";
import { EXPORT_ROLE } from "./contact-export.tsx";
import { ContactFilters, filterParams, type ContactListQuery, contactListQuery } from "./contact-filters.tsx";
import { contactColumns } from "./contact-parts.tsx";

export const contactListPages = workspacePages();

const MOST_TAGS = 500;

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
    return (
      <EmptyState title="No archived contacts">Contacts that you archive are kept here, with their history.</EmptyState>
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
      Bring the people you write to from a file, or add them one by one. People who write to you become contacts, too.
    </EmptyState>
  );
}

contactListPages.get(
  "/contacts",
  { role: "agent", query: contactListQuery },
  async ({ ctx, path, workspace }, { query }) => {
    const { limit, cursor } = query;
    const [{ rows, layout, next }, tags] = await Promise.all([
      searchContacts(ctx, contactFilterFromQuery(query), { limit, offset: 0, below: cursor?.[0], includeTotal: false }),
      listTags(ctx, MOST_TAGS),
    ]);
    const nextCursor = next === null ? null : encodeCursor([next]);
    return showPage({
      title: "Contacts",
      actions: (
        <>
          <ButtonLink href={path("/contacts/import")}>Import</ButtonLink>
          <ButtonLink kind="primary" href={path("/contacts/new")} shortcut="c">
            New contact
          </ButtonLink>
        </>
      ),
      body: (
        <>
          <ContactFilters query={query} tags={tags.map(({ name }) => name)} />
          <div id="results">
            {rows.length === 0 ? (
              <NoContacts query={query} />
            ) : (
              <>
                <Table
                  caption={query.archived === true ? "Archived contacts, newest first" : "Contacts, newest first"}
                  rows={rows.map(({ contact }) => presentContact(contact, layout))}
                  columns={contactColumns}
                />
                <div class="below">
                  <Pager next={nextCursor} />
                  {isAtLeast(workspace.role, EXPORT_ROLE) && (
                    <a href={path(`/contacts/export${filterParams(query)}`)}>Export these contacts</a>
                  )}
                </div>
              </>
            )}
          </div>
        </>
      ),
    });
  },
);
