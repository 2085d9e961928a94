import { listConnections } from "../../features/connections/connections.service.ts";
import { presentConversation } from "../../features/conversations/conversations.schemas.ts";
import { listConversations } from "../../features/conversations/conversations.service.ts";
import { show } from "../kit/answers.ts";
import { workspacePages } from "../kit/audiences.ts";
import { Badge, EmptyState, Section, Time, type Tone } from "../kit/feedback.tsx";
import { Table } from "../kit/tables.tsx";

export const overviewPages = workspacePages();

const SHOWN = 5;

const tones: Record<string, Tone> = { active: "good", disconnected: "warning", error: "bad" };

overviewPages.get("/overview", {}, async ({ ctx }) => {
  const open = { status: "open", unread: false, limit: SHOWN, after: undefined } as const;
  const [connections, conversations] = await Promise.all([
    listConnections(ctx, 20, undefined),
    listConversations(ctx, open),
  ]);
  return show({
    title: "Overview",
    body: (
      <>
        <Section title="Open conversations">
          {conversations.length === 0 ? (
            <EmptyState title="Nobody is waiting">New messages from contacts show up here.</EmptyState>
          ) : (
            <Table
              caption="Open conversations, latest first"
              rows={conversations.slice(0, SHOWN).map(presentConversation)}
              columns={[
                { label: "Contact", cell: ({ contact }) => contact.name ?? contact.phone ?? "Unknown" },
                { label: "Last message", cell: ({ last_message }) => <span class="cut">{last_message}</span> },
                { label: "Unread", align: "end", cell: ({ unread_count }) => unread_count },
                { label: "At", cell: ({ last_message_at }) => <Time at={Date.parse(last_message_at)} /> },
              ]}
            />
          )}
        </Section>
        <Section title="Connections">
          {connections.length === 0 ? (
            <EmptyState title="No connection yet">Messages leave and arrive through a connection.</EmptyState>
          ) : (
            <Table
              caption="Connections and how they are"
              rows={connections}
              columns={[
                { label: "Name", cell: ({ name }) => name },
                { label: "Provider", cell: ({ provider }) => provider },
                { label: "Channel", cell: ({ channel }) => channel },
                {
                  label: "Status",
                  cell: ({ status, statusDetail }) => (
                    <>
                      <Badge tone={tones[status] ?? "plain"}>{status}</Badge> {statusDetail}
                    </>
                  ),
                },
              ]}
            />
          )}
        </Section>
      </>
    ),
  });
});
