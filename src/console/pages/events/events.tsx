import * as z from "zod";
import { type EventView, listEventsQuery } from "../../../features/event-feed/event-feed.schemas.ts";
import { getEvent } from "../../../features/event-feed/event-feed.service.ts";
import { readEventsBefore } from "../../../features/event-feed/read-events.ts";
import { cursorParam, encodeCursor } from "../../../http/fields.ts";
import { workspacePages } from "../../kit/audiences.ts";
import { EmptyState, Facts, LocalTime, Section } from "../../kit/feedback.tsx";
import { FilterSelect, FilterForm } from "../../kit/forms/choice-fields.tsx";
import { PagedTable, Table } from "../../kit/tables.tsx";
import { Page } from "../../kit/page/page.tsx";
import { ChangedValue, ChangeSummary, EventObjectLink, EVENTS_PATH, eventTypeOptions } from "./event-parts.tsx";
import { listApiKeys } from "../../../features/api-keys/api-keys.service.ts";
import { listMembers } from "../../../features/members/members.service.ts";
import type { Ctx } from "../../../shared/context.ts";
import { listAllConnections } from "../choices.ts";

export const eventPages = workspacePages();

type ActorType = EventView["actor"]["type"];

const MAX_LISTED = 100;

const actorKinds: Record<ActorType, string> = {
  api_key: "API key",
  member: "Member",
  operator: "The operator",
  provider: "Provider",
  system: "Tidings",
};

async function nameActors(ctx: Ctx, events: readonly EventView[]): Promise<(event: EventView) => string> {
  const has = (type: ActorType) => events.some(({ actor }) => actor.type === type);
  const [keys, members, connections] = await Promise.all([
    has("api_key") ? listApiKeys(ctx, MAX_LISTED, undefined) : [],
    has("member") ? listMembers(ctx, MAX_LISTED) : [],
    has("provider") ? listAllConnections(ctx) : [],
  ]);
  const names = new Map([
    ...keys.map(({ id, name }) => [id, `API key ${name}`] as const),
    ...members.map(({ user_id, name }) => [user_id, name] as const),
    ...connections.map(({ id, name }) => [id, `Provider of ${name}`] as const),
  ]);
  return ({ actor: { type, id } }) => names.get(id ?? "") ?? actorKinds[type];
}

const PER_PAGE = 50;
const POLL_S = 5;

const logQuery = z.strictObject({ types: listEventsQuery.shape.types, cursor: cursorParam(z.tuple([z.int().min(1)])) });

const NEWEST = Number.MAX_SAFE_INTEGER;

eventPages.get(EVENTS_PATH, { query: logQuery }, async ({ ctx, path }, { query: { types, cursor } }) => {
  const before = cursor?.[0] ?? NEWEST;
  const { events, next } = await readEventsBefore(ctx, { before, types, limit: PER_PAGE });
  const actorName = await nameActors(ctx, events);
  const chosen = types.join(",");
  const isFirstPage = cursor === undefined;
  return (
    <Page title="Events">
      <p class="help">
        Everything that changed in this workspace in the last 30 days.{" "}
        {isFirstPage && "New events appear automatically. "}
        Your software can read the same log with <code>GET /api/v1/events</code>, or receive it through a{" "}
        <a href={path("/settings/webhooks")}>webhook</a>.
      </p>
      <FilterForm action={path(EVENTS_PATH)} label="Events" swap="event-log">
        <FilterSelect
          name="types"
          label="Show"
          options={[{ value: "", label: "All events" }, ...eventTypeOptions]}
          chosen={chosen === "*" ? "" : chosen}
        />
      </FilterForm>
      <div id="event-log" {...(isFirstPage && { "data-poll": POLL_S, "data-changes-with": "event" })}>
        <PagedTable
          caption="Events, newest first"
          rows={events}
          columns={[
            { label: "Time", cell: ({ created_at }) => <LocalTime at={Date.parse(created_at)} /> },
            {
              label: "Event",
              cell: ({ id, type }) => (
                <a href={path(`${EVENTS_PATH}/${id}`)} id={id} class="mono whole">
                  {type}
                </a>
              ),
            },
            { label: "About", cell: (event) => <EventObjectLink event={event} /> },
            { label: "Changes", cell: (event) => <ChangeSummary event={event} /> },
            { label: "By", cell: (event) => actorName(event) },
          ]}
          empty={
            <EmptyState title="No events here" icon="activity">
              {next === null
                ? "New messages, contacts and settings changes appear here."
                : "No matches in the 5,000 events searched. Continue on the next page."}
            </EmptyState>
          }
          next={next === null ? null : encodeCursor([next])}
        />
      </div>
    </Page>
  );
});

const Changes = ({ event: { changes } }: { event: EventView }) =>
  changes === null || Object.keys(changes).length === 0 ? (
    <p class="help">No fields changed.</p>
  ) : (
    <Table
      caption="Changed fields"
      rows={Object.entries(changes)}
      columns={[
        { label: "Field", cell: ([name]) => <code>{name}</code> },
        { label: "Before", cell: ([, [before]]) => <ChangedValue value={before} /> },
        { label: "After", cell: ([, [, after]]) => <ChangedValue value={after} /> },
      ]}
    />
  );

eventPages.get(`${EVENTS_PATH}/:id`, {}, async ({ ctx }, { params: { id } }) => {
  const event = await getEvent(ctx, id);
  const actorName = await nameActors(ctx, [event]);
  return (
    <Page title={event.type}>
      <Facts
        facts={[
          ["About", <EventObjectLink event={event} />],
          ["By", actorName(event)],
          ["Time", <LocalTime at={Date.parse(event.created_at)} />],
          ["Event", <code>{event.id}</code>],
          ["Sequence number", event.sequence],
        ]}
      />
      <Section title="Changes">
        <Changes event={event} />
      </Section>
      <Section
        title="Payload"
        help="The event as the API returns it and webhooks receive it. A deleted object is null."
      >
        <pre tabindex={0} aria-label="The event as JSON">
          {JSON.stringify(event, null, 2)}
        </pre>
      </Section>
    </Page>
  );
});
