import type { NamedRecord } from "../../../features/campaigns/find-uses.ts";
import { type HandlerResult, redirectTo, redirectWithError } from "../../kit/results.ts";
import { type WorkspaceRequest, useWorkspaceRequest } from "../../kit/request.ts";
import type { z } from "zod";
import { presentContact } from "../../../features/contacts/contacts.schemas.ts";
import {
  listSegmentsQuery,
  presentSegment,
  segmentContactsQuery,
  type segmentView,
} from "../../../features/segments/segments.schemas.ts";
import { countSegmentContacts, listSegmentContacts } from "../../../features/segments/segment-contacts.ts";
import { SegmentScheduled } from "../../../features/segments/segments.changes.ts";
import { deleteSegment, getSegment, listSegments } from "../../../features/segments/segments.service.ts";
import { encodeCursor, page } from "../../../http/fields.ts";
import { isAtLeast } from "../../../shared/access/actor.ts";
import { ButtonLink, ConfirmButton } from "../../kit/actions.tsx";
import { formatCount } from "../../kit/format.ts";
import { workspacePages } from "../../kit/audiences.ts";
import { ListPage } from "../../kit/page/list-page.tsx";
import { nullIfBusy } from "../../kit/null-if-busy.ts";
import { Age, Badge, Banner, EmptyState, Section } from "../../kit/feedback.tsx";
import { Pager, Table } from "../../kit/tables.tsx";
import { Page } from "../../kit/page/page.tsx";
import { contactColumns } from "../contacts/list/contact-columns.tsx";
import { FilterDescription, knownFields } from "./segment-fields.tsx";
import { listAllCustomFields } from "../choices.ts";

/**
 * The number and length of the names are limited, because the notice is stored in a cookie, in which one
 * character can take twelve bytes.
 */
const MAX_NAMED = 5;
const LONGEST = 24;

function shorten(name: string): string {
  const characters = Array.from(name);
  return characters.length > LONGEST ? `${characters.slice(0, LONGEST).join("")}…` : name;
}

export function redirectNamingBrokenSegments(
  { path }: WorkspaceRequest,
  to: string,
  done: string,
  broken: readonly NamedRecord[],
): HandlerResult {
  if (broken.length === 0) return redirectTo(to, done);
  const links = broken
    .slice(0, MAX_NAMED)
    .map(({ id, name }) => ({ text: shorten(name), href: path(`/segments/${id}`) }));
  const rest = broken.length > MAX_NAMED ? [{ text: "and more under Segments", href: path("/segments") }] : [];
  const text = `${done} ${broken.length === 1 ? "This segment is now broken:" : "These segments are now broken:"}`;
  return redirectTo(to, text, [...links, ...rest]);
}

export const segmentPages = workspacePages();

type Segment = z.output<typeof segmentView>;

const mayChange = ({ workspace }: WorkspaceRequest) => isAtLeast(workspace.role, "admin");

const NameCell = ({ segment: { id, name, invalid } }: { segment: Segment }) => (
  <>
    <a href={useWorkspaceRequest().path(`/segments/${id}`)}>{name}</a> {invalid && <Badge tone="bad">Broken</Badge>}
  </>
);

segmentPages.get("/segments", { role: "agent", query: listSegmentsQuery }, async (request, { query }) => {
  const { ctx, path } = request;
  const [rows, custom] = await Promise.all([
    listSegments(ctx, query.limit, query.cursor?.[0]),
    listAllCustomFields(ctx),
  ]);
  const { items, nextCursor } = page(rows, query.limit, ({ id }) => [id]);
  const fields = knownFields(custom);
  return (
    <ListPage
      title="Segments"
      create={mayChange(request) ? { label: "New segment", href: path("/segments/new") } : undefined}
      empty={{
        title: "No segments yet",
        icon: "funnel",
        text: "Group contacts by conditions, such as everyone tagged “vip” who wrote in the last 30 days. Segments update automatically, and you can send campaigns to them.",
      }}
      caption="Segments, newest first"
      rows={items.map(presentSegment)}
      columns={[
        { label: "Name", cell: (segment) => <NameCell segment={segment} /> },
        {
          label: "Conditions",
          cell: ({ filter }) => (
            <span class="cut">
              <FilterDescription filter={filter} fields={fields} />
            </span>
          ),
        },
        { label: "Changed", cell: ({ updated_at: at }) => <Age at={Date.parse(at)} /> },
      ]}
      next={nextCursor}
    />
  );
});

async function Members({
  request,
  id,
  query,
}: {
  request: WorkspaceRequest;
  id: string;
  query: z.output<typeof segmentContactsQuery>;
}) {
  const before = query.cursor?.[0];
  const [{ contacts, layout, next }, count] = await Promise.all([
    listSegmentContacts(request.ctx, id, { limit: query.limit, before }),
    before === undefined ? nullIfBusy(countSegmentContacts(request.ctx, id)) : null,
  ]);
  const more = next === null ? null : encodeCursor([next]);
  return (
    <Section title={count === null ? "Contacts" : formatCount(count, "contact")}>
      {contacts.length > 0 ? (
        <Table
          caption="Contacts in the segment, newest first"
          rows={contacts.map((contact) => presentContact(contact, layout))}
          columns={contactColumns}
        />
      ) : more === null ? (
        <EmptyState title="No contacts match" icon="funnel">
          Contacts are added automatically when they match.
        </EmptyState>
      ) : (
        <p>No matches so far. Continue on the next page.</p>
      )}
      <Pager next={more} />
    </Section>
  );
}

segmentPages.get(
  "/segments/:id",
  { role: "agent", query: segmentContactsQuery },
  async (request, { params: { id }, query }) => {
    const { ctx, path } = request;
    const [record, custom] = await Promise.all([getSegment(ctx, id), listAllCustomFields(ctx)]);
    const segment = presentSegment(record);
    return (
      <Page
        title={segment.name}
        actions={
          mayChange(request) && (
            <>
              <ButtonLink kind="primary" href={path(`/segments/${id}/edit`)}>
                Change
              </ButtonLink>
              <ConfirmButton
                id="delete"
                label="Delete"
                title={`Delete ${segment.name}?`}
                action={path(`/segments/${id}/delete`)}
                confirm="Delete"
                revision={record.revision}
              >
                Its contacts stay. You can't restore the segment.
              </ConfirmButton>
            </>
          )
        }
      >
        <p>
          <FilterDescription filter={segment.filter} fields={knownFields(custom)} />
        </p>
        {segment.invalid ? (
          <Banner kind="error">
            <p>
              This segment is broken: it uses something that was deleted, so it matches no contacts. Edit its
              conditions.
            </p>
            <ul>
              {segment.reasons.map(({ message }) => (
                <li>{message}</li>
              ))}
            </ul>
          </Banner>
        ) : (
          await Members({ request, id, query })
        )}
      </Page>
    );
  },
);

segmentPages.post("/segments/:id/delete", {}, async ({ ctx, path }, { params }) => {
  try {
    const { name } = await deleteSegment(ctx, params.id);
    return redirectTo(path("/segments"), `Segment ${name} deleted.`);
  } catch (error) {
    if (!(error instanceof SegmentScheduled)) throw error;
    const campaign = { text: "View campaign", href: path(`/campaigns/${error.campaignId}`) };
    return redirectWithError(path(`/segments/${params.id}`), error.message, [campaign]);
  }
});
