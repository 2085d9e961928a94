import { listConnectionsQuery } from "../../../features/connections/connections.schemas.ts";
import { listConnections } from "../../../features/connections/connections.service.ts";
import { page as cut } from "../../../http/fields.ts";
import { ButtonLink } from "../../kit/actions.tsx";
import { show } from "../../kit/answers.ts";
import { workspacePages } from "../../kit/audiences.ts";
import { Badge, EmptyState } from "../../kit/feedback.tsx";
import { Pager, Table } from "../../kit/tables.tsx";
import { labelOf } from "../contacts/contact-parts.tsx";
import { CONNECTIONS, providerNames, Status } from "./connections-guide.tsx";

export const connectionPages = workspacePages();

const PER_PAGE = 50;

connectionPages.get(CONNECTIONS, { query: listConnectionsQuery }, async ({ ctx, path }, { query }) => {
  const rows = await listConnections(ctx, PER_PAGE, query.cursor?.[0]);
  const { items, nextCursor } = cut(rows, PER_PAGE, ({ id }) => [id]);
  const create = (
    <ButtonLink href={path(`${CONNECTIONS}/new`)} kind="primary">
      New connection
    </ButtonLink>
  );
  return show({
    title: "Connections",
    actions: items.length > 0 && create,
    body: (
      <>
        {items.length === 0 ? (
          <EmptyState title="No connection yet" action={create}>
            Messages leave and arrive through a connection: a WhatsApp number, or a sandbox to try things out.
          </EmptyState>
        ) : (
          <Table
            caption="Connections, newest first"
            rows={items}
            columns={[
              {
                label: "Name",
                cell: ({ id, name, isDefault }) => (
                  <>
                    <a href={path(`${CONNECTIONS}/${id}`)}>{name}</a> {isDefault && <Badge>Default</Badge>}
                  </>
                ),
              },
              { label: "Provider", cell: ({ provider }) => providerNames[provider] },
              { label: "Channel", cell: ({ channel }) => labelOf(channel) },
              {
                label: "Status",
                cell: ({ status, statusDetail }) => (
                  <>
                    <Status status={status} /> {statusDetail}
                  </>
                ),
              },
              { label: "Rate", cell: ({ messagesPerSecond }) => `${messagesPerSecond} a second` },
            ]}
          />
        )}
        <Pager next={nextCursor} />
      </>
    ),
  });
});
