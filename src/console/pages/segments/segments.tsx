import type { z } from "zod";
import { presentContact } from "../../../features/contacts/contacts.schemas.ts";
import { listCustomFields } from "../../../features/custom-fields/custom-fields.service.ts";
import {
  listSegmentsQuery,
  presentSegment,
  segmentContactsQuery,
  type segmentView,
} from "../../../features/segments/segments.schemas.ts";
import { countSegmentContacts } from "../../../features/segments/count-segment-contacts.ts";
import { listSegmentContacts } from "../../../features/segments/list-segment-contacts.ts";
import { deleteSegment, getSegment, listSegments } from "../../../features/segments/segments.service.ts";
import { encodeCursor, page as cut } from "../../../http/fields.ts";
import { isAtLeast } from "../../../shared/actor.ts";
import { ButtonLink, ConfirmButton } from "../../kit/actions.tsx";
import { go, show } from "../../kit/answers.ts";
import { workspacePages } from "../../kit/audiences.ts";
import { unlessBusy } from "../../kit/busy.ts";
import { Badge, Banner, countOf, EmptyState, Section, Time } from "../../kit/feedback.tsx";
import { Pager, Table } from "../../kit/tables.tsx";
import { useWorkspace, type WorkspaceVisit } from "../../kit/visit.ts";
import { contactColumns } from "../contacts/contact-parts.tsx";
import { FilterSentence } from "./segment-sentence.tsx";
import { knownFields } from "./segment-words.ts";

export const segmentPages = workspacePages();

type Segment = z.output<typeof segmentView>;

const MOST_FIELDS = 100;

const mayChange = ({ workspace }: WorkspaceVisit) => isAtLeast(workspace.role, "admin");

const NameCell = ({ segment: { id, name, invalid } }: { segment: Segment }) => (
  <>
    <a href={useWorkspace().path(`/segments/${id}`)}>{name}</a> {invalid && <Badge tone="bad">Broken</Badge>}
  </>
);

segmentPages.get("/segments", { role: "agent", query: listSegmentsQuery }, async (visit, { query }) => {
  const { ctx, path } = visit;
  const [rows, custom] = await Promise.all([
    listSegments(ctx, query.limit, query.cursor?.[0]),
    listCustomFields(ctx, MOST_FIELDS),
  ]);
  const { items, nextCursor } = cut(rows, query.limit, ({ id }) => [id]);
  const fields = knownFields(custom);
  const add = (
    <ButtonLink kind="primary" href={path("/segments/new")}>
      New segment
    </ButtonLink>
  );
  return show({
    title: "Segments",
    actions: mayChange(visit) && items.length > 0 ? add : undefined,
    body:
      items.length === 0 ? (
        <EmptyState title="No segments yet" action={mayChange(visit) ? add : undefined}>
          A segment is a group of contacts that fit some conditions, such as everybody tagged “vip” who wrote in the
          last 30 days. It keeps itself up to date, and campaigns can be sent to it.
        </EmptyState>
      ) : (
        <>
          <Table
            caption="Segments, newest first"
            rows={items.map(presentSegment)}
            columns={[
              { label: "Name", cell: (segment) => <NameCell segment={segment} /> },
              {
                label: "Who is in it",
                cell: ({ filter }) => (
                  <span class="cut">
                    <FilterSentence filter={filter} fields={fields} />
                  </span>
                ),
              },
              { label: "Changed", cell: ({ updated_at: at }) => <Time at={Date.parse(at)} /> },
            ]}
          />
          <Pager next={nextCursor} />
        </>
      ),
  });
});

/** The contacts of a segment that can be asked for. */
async function Members({
  visit,
  id,
  query,
}: {
  visit: WorkspaceVisit;
  id: string;
  query: z.output<typeof segmentContactsQuery>;
}) {
  const before = query.cursor?.[0];
  const [{ contacts, layout, next }, count] = await Promise.all([
    listSegmentContacts(visit.ctx, id, { limit: query.limit, before }),
    before === undefined ? unlessBusy(countSegmentContacts(visit.ctx, id)) : null,
  ]);
  const more = next === null ? null : encodeCursor([next]);
  return (
    <Section title={count === null ? "Contacts" : countOf(count, "contact")}>
      {contacts.length > 0 ? (
        <Table
          caption="Contacts of the segment, newest first"
          rows={contacts.map((contact) => presentContact(contact, layout))}
          columns={contactColumns}
        />
      ) : more === null ? (
        <EmptyState title="No contacts match">
          A contact that meets these conditions later is added by itself.
        </EmptyState>
      ) : (
        <p>None among the contacts looked at so far. The next page looks further.</p>
      )}
      <Pager next={more} />
    </Section>
  );
}

segmentPages.get(
  "/segments/:id",
  { role: "agent", query: segmentContactsQuery },
  async (visit, { params: { id }, query }) => {
    const { ctx, path } = visit;
    const [record, custom] = await Promise.all([getSegment(ctx, id), listCustomFields(ctx, MOST_FIELDS)]);
    const segment = presentSegment(record);
    return show({
      title: segment.name,
      actions: mayChange(visit) && (
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
          >
            Its contacts stay. The segment itself cannot be brought back.
          </ConfirmButton>
        </>
      ),
      body: (
        <>
          <p>
            <FilterSentence filter={segment.filter} fields={knownFields(custom)} />
          </p>
          {segment.invalid ? (
            <Banner kind="error">
              <p>
                This segment is broken: it asks for something that was deleted, so it finds no contacts. Change its
                conditions.
              </p>
              <ul>
                {segment.reasons.map(({ message }) => (
                  <li>{message}</li>
                ))}
              </ul>
            </Banner>
          ) : (
            await Members({ visit, id, query })
          )}
        </>
      ),
    });
  },
);

segmentPages.post("/segments/:id/delete", {}, async ({ ctx, path }, { params }) => {
  const { name } = await deleteSegment(ctx, params.id);
  return go(path("/segments"), `The segment ${name} has been deleted.`);
});
