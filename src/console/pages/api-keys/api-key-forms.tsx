import * as z from "zod";
import type { FC } from "hono/jsx";
import { createApiKeyBody, updateApiKeyBody, settingsOf } from "../../../features/api-keys/api-keys.schemas.ts";
import {
  type ApiKey,
  createApiKey,
  planLimits,
  getApiKey,
  updateApiKey,
} from "../../../features/api-keys/api-keys.service.ts";
import { formatCount } from "../../kit/format.ts";
import { CheckField } from "../../kit/forms/choice-fields.tsx";
import { TextField, Form, SelectField, Submit } from "../../kit/forms/form-fields.tsx";
import { getWorkspace } from "../../../features/workspaces/workspaces.service.ts";
import { ButtonLink, CopyField } from "../../kit/actions.tsx";
import { workspacePages } from "../../kit/audiences.ts";
import { Banner, EmptyState, Section, Facts, LocalTime } from "../../kit/feedback.tsx";
import type { WorkspaceRequest } from "../../kit/request.ts";
import { Page } from "../../kit/page/page.tsx";
import { providerFacts } from "../../../channels/providers.ts";
import { redirectTo } from "../../kit/results.ts";
import { REQUESTS_PATH } from "../requests/requests.tsx";
import { listAllConnections } from "../choices.ts";

export const API_KEYS = "/settings/api-keys";

interface RateLimit {
  requests: number;
  windowSeconds: number;
}

export const describeRateLimit = ({ requests, windowSeconds }: RateLimit): string =>
  `${formatCount(requests, "request")} in ${windowSeconds} s`;

const numberText = (value: number | null | undefined) => (typeof value === "number" ? String(value) : null);

const ApiKeyFields: FC<{ apiKey?: ApiKey; standard: RateLimit | null }> = ({ apiKey, standard }) => (
  <>
    <CheckField
      name="read_only"
      label="Read-only"
      help="The key can read everything and change nothing."
      checked={apiKey?.readOnly ?? false}
    />
    <TextField
      name="expires_at"
      label="Last day"
      type="date"
      help="The key expires at the end of this day (UTC). Leave empty for no expiry."
      value={typeof apiKey?.expiresAt === "number" ? new Date(apiKey.expiresAt).toISOString().slice(0, 10) : null}
    />
    <fieldset class="pair">
      <legend>Rate limit</legend>
      <p class="help">
        {standard === null
          ? "Your plan doesn't include the API, so calls fail until the plan changes. "
          : `Leave both empty for the plan's limit: ${describeRateLimit(standard)}. `}
        Fill in both or neither.
      </p>
      <TextField name="rate_limit.requests" label="Requests" inputmode="numeric" value={numberText(apiKey?.requests)} />
      <TextField
        name="rate_limit.window_seconds"
        label="in seconds"
        inputmode="numeric"
        value={numberText(apiKey?.windowSeconds)}
      />
    </fieldset>
  </>
);

const lastDay = z
  .string()
  .transform((day) => `${day}T23:59:59.999Z`)
  .pipe(createApiKeyBody.shape.expires_at.unwrap().unwrap())
  .nullable()
  .optional();

const newApiKeyForm = createApiKeyBody.extend({ expires_at: lastDay });
const apiKeyForm = updateApiKeyBody.extend({ expires_at: lastDay });

export const apiKeyFormPages = workspacePages();

async function newKeyPage({ ctx, path }: WorkspaceRequest) {
  const [connections, { plan }] = await Promise.all([listAllConnections(ctx), getWorkspace(ctx, ctx.workspace.id)]);
  const standard = planLimits[plan];
  const first = connections.find(({ isDefault }) => isDefault) ?? connections[0];
  return (
    <Page title="New API key">
      {first === undefined ? (
        <EmptyState
          title="Create a connection first"
          action={
            <ButtonLink href={path("/settings/connections/new")} kind="primary">
              New connection
            </ButtonLink>
          }
        >
          An API key sends through one connection, so create a connection first. A sandbox is enough to start.
        </EmptyState>
      ) : (
        <Form action={path("/settings/api-keys/new")} class="narrow">
          <TextField name="name" label="Name" help="Where you use the key, like “Web shop”." required />
          <SelectField
            name="connection_id"
            label="Connection"
            help="Messages sent with this key use this connection. You can't change the connection later."
            options={connections.map(({ id, name, provider }) => ({
              value: id,
              label: `${name} (${providerFacts[provider].name})`,
            }))}
            value={first.id}
            required
          />
          <ApiKeyFields standard={standard} />
          <Submit>Create key</Submit>
        </Form>
      )}
    </Page>
  );
}

function curlOf(origin: string, key: string, { readOnly }: ApiKey): string {
  const header = `-H "Authorization: Bearer ${key}"`;
  if (readOnly) return `curl "${origin}/api/v1/contacts?limit=5" \\\n  ${header}`;
  const message = JSON.stringify({ to: "+14155550100", text: "Hello from Tidings" });
  return `curl ${origin}/api/v1/messages \\\n  ${header} \\\n  -H "Content-Type: application/json" \\\n  -d '${message}'`;
}

apiKeyFormPages.form(
  "/settings/api-keys/new",
  { body: newApiKeyForm, page: newKeyPage },
  async ({ ctx, path, url }, { body }) => {
    const { apiKey, key } = await createApiKey(ctx, {
      ...settingsOf(body),
      name: body.name,
      connectionId: body.connection_id,
      readOnly: body.read_only ?? false,
    });
    return (
      <Page title={`API key for ${apiKey.name}`}>
        <div class="readable">
          <Banner kind="warning">Copy the key now: it is shown only once. If you lose it, create a new one.</Banner>
          <CopyField id="api-key" label="API key" value={key} />
          <Section title="Try it">
            <CopyField
              id="curl"
              label={apiKey.readOnly ? "Lists five contacts" : "Sends a message"}
              value={curlOf(url.origin, key, apiKey)}
              help={
                apiKey.readOnly
                  ? "Run it in a terminal. This key is read-only, so the command sends nothing."
                  : "Run it in a terminal. The number is fictional and works on a sandbox; on other connections use your own. Official connections accept free text only within 24 hours of the person's last message."
              }
            />
            <p>
              For everything else, see <a href="/docs">the API documentation</a>.
            </p>
          </Section>
          <ButtonLink href={path("/settings/api-keys")} kind="primary">
            I have copied it
          </ButtonLink>
        </div>
      </Page>
    );
  },
);

async function editPage({ ctx, path }: WorkspaceRequest, { id }: { id: string }) {
  const apiKey = await getApiKey(ctx, id);
  return (
    <Page
      title={apiKey.name}
      actions={<ButtonLink href={path(`${REQUESTS_PATH}?key_id=${id}`)}>Its requests</ButtonLink>}
    >
      <Facts
        facts={[
          ["Ends in", <code>{apiKey.lastFour}</code>],
          ["Created", <LocalTime at={apiKey.createdAt} />],
          ["Last used", apiKey.lastUsedAt === null ? "Never" : <LocalTime at={apiKey.lastUsedAt} />],
        ]}
      />
      {apiKey.revokedAt === null ? (
        <Form action={path(`${API_KEYS}/${id}`)} class="narrow" isPartial>
          <TextField
            name="name"
            label="Name"
            help="Where you use the key, like “Web shop”."
            value={apiKey.name}
            required
          />
          <ApiKeyFields apiKey={apiKey} standard={planLimits[apiKey.plan]} />
          <Submit>Save</Submit>
        </Form>
      ) : (
        <Banner kind="note">
          This key was revoked <LocalTime at={apiKey.revokedAt} /> and can't be changed.
        </Banner>
      )}
    </Page>
  );
}

apiKeyFormPages.form(
  `${API_KEYS}/:id`,
  { body: apiKeyForm, isPartial: true, page: editPage },
  async ({ ctx, path }, { params: { id }, body, original = {} }) => {
    const { name } = await updateApiKey(ctx, id, settingsOf(body), settingsOf(original));
    return redirectTo(path(API_KEYS), `${name} saved. Changes apply from the next request.`);
  },
);
