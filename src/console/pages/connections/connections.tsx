import { providerFacts } from "../../../channels/providers.ts";
import { listConnectionsQuery } from "../../../features/connections/connections.schemas.ts";
import { listConnections } from "../../../features/connections/connections.service.ts";
import { page } from "../../../http/fields.ts";
import { toLabel } from "../../kit/format.ts";
import { workspacePages } from "../../kit/audiences.ts";
import { ListPage } from "../../kit/page/list-page.tsx";
import { Badge } from "../../kit/feedback.tsx";
import { CONNECTIONS_PATH, ConnectionStatusBadge } from "./providers.tsx";

export const connectionPages = workspacePages();

const PER_PAGE = 50;

connectionPages.get(CONNECTIONS_PATH, { query: listConnectionsQuery }, async ({ ctx, path }, { query }) => {
  const rows = await listConnections(ctx, PER_PAGE, query.cursor?.[0]);
  const { items, nextCursor } = page(rows, PER_PAGE, ({ id }) => [id]);
  return (
    <ListPage
      title="Connections"
      create={{ label: "New connection", href: path(`${CONNECTIONS_PATH}/new`) }}
      caption="Connections, newest first"
      rows={items}
      columns={[
        {
          label: "Name",
          cell: ({ id, name, isDefault }) => (
            <>
              <a href={path(`${CONNECTIONS_PATH}/${id}`)}>{name}</a> {isDefault && <Badge>Default</Badge>}
            </>
          ),
        },
        { label: "Provider", cell: ({ provider }) => providerFacts[provider].name },
        { label: "Channel", cell: ({ channel }) => toLabel(channel) },
        {
          label: "Status",
          cell: ({ status, statusDetail }) => (
            <>
              <ConnectionStatusBadge status={status} /> {statusDetail}
            </>
          ),
        },
        { label: "Rate", cell: ({ messagesPerSecond }) => `${messagesPerSecond} per second` },
      ]}
      empty={{
        title: "No connections yet",
        icon: "plug",
        text: "Connect a WhatsApp number to send and receive messages, or a sandbox to try things out.",
      }}
      next={nextCursor}
    />
  );
});
