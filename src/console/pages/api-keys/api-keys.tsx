import { listApiKeysQuery } from "../../../features/api-keys/api-keys.schemas.ts";
import { type ApiKey, listApiKeys, planLimits, revokeApiKey } from "../../../features/api-keys/api-keys.service.ts";
import { getWorkspace } from "../../../features/workspaces/workspaces.service.ts";
import { page } from "../../../http/fields.ts";
import type { Plan } from "../../../shared/access/workspace.ts";
import { ConfirmButton } from "../../kit/actions.tsx";
import { redirectTo } from "../../kit/results.ts";
import { workspacePages } from "../../kit/audiences.ts";
import { ListPage } from "../../kit/page/list-page.tsx";
import { Age, Badge, Banner } from "../../kit/feedback.tsx";
import { API_KEYS, describeRateLimit } from "./api-key-forms.tsx";
import { listAllConnections, namesOf } from "../choices.ts";

export const apiKeyPages = workspacePages();

const PER_PAGE = 50;

const KeyState = ({ apiKey: { revokedAt, expiresAt }, now }: { apiKey: ApiKey; now: number }) => {
  if (revokedAt !== null) return <Badge tone="bad">Revoked</Badge>;
  return expiresAt !== null && expiresAt <= now ? <Badge tone="warning">Expired</Badge> : null;
};

function limitOf({ requests, windowSeconds }: ApiKey, plan: Plan): string {
  if (requests !== null && windowSeconds !== null) return describeRateLimit({ requests, windowSeconds });
  const standard = planLimits[plan];
  return standard === null ? "Not in your plan" : `${describeRateLimit(standard)} (plan)`;
}

apiKeyPages.get(API_KEYS, { query: listApiKeysQuery }, async ({ ctx, path, workspace }, { query }) => {
  const [rows, connections, { plan }] = await Promise.all([
    listApiKeys(ctx, PER_PAGE, query.cursor?.[0]),
    listAllConnections(ctx),
    getWorkspace(ctx, workspace.id),
  ]);
  const { items, nextCursor } = page(rows, PER_PAGE, ({ id }) => [id]);
  const names = namesOf(connections);
  return (
    <ListPage
      title="API keys"
      create={{ label: "New API key", href: path(`${API_KEYS}/new`) }}
      caption="API keys, newest first"
      rows={items}
      columns={[
        {
          label: "Name",
          cell: (apiKey) => (
            <>
              <a href={path(`${API_KEYS}/${apiKey.id}`)}>{apiKey.name}</a>{" "}
              {apiKey.readOnly && <Badge tone="info">Read-only</Badge>} <KeyState apiKey={apiKey} now={ctx.now()} />
            </>
          ),
        },
        { label: "Connection", cell: ({ connectionId }) => names.get(connectionId) ?? "Deleted" },
        { label: "Ends in", cell: ({ lastFour }) => <code>{lastFour}</code> },
        { label: "Limit", cell: (apiKey) => <span class="whole">{limitOf(apiKey, plan)}</span> },
        { label: "Expires", cell: ({ expiresAt }) => (expiresAt === null ? "Never" : <Age at={expiresAt} />) },
        { label: "Last used", cell: ({ lastUsedAt }) => (lastUsedAt === null ? "Never" : <Age at={lastUsedAt} />) },
      ]}
      buttons={({ id, name, revokedAt }) =>
        revokedAt === null ? (
          <ConfirmButton
            id={`revoke-${id}`}
            label="Revoke"
            title={`Revoke ${name}?`}
            action={path(`${API_KEYS}/${id}/revoke`)}
            confirm="Revoke key"
          >
            Software that uses it loses access immediately. You can't restore a revoked key.
          </ConfirmButton>
        ) : (
          <span class="help">
            Revoked <Age at={revokedAt} />
          </span>
        )
      }
      empty={{
        title: "No API keys yet",
        icon: "key-round",
        text: "Create a key to send messages and manage contacts from your software.",
      }}
      next={nextCursor}
    >
      {plan === "free" && (
        <Banner kind="note">
          The free plan doesn't include the API. Calls fail until whoever runs this service changes your plan.
        </Banner>
      )}
    </ListPage>
  );
});

apiKeyPages.post("/settings/api-keys/:id/revoke", {}, async ({ ctx, path }, { params }) => {
  const { name } = await revokeApiKey(ctx, params.id);
  return redirectTo(path(API_KEYS), `${name} revoked.`);
});
