import { settingsOf } from "../../../features/api-keys/api-keys.schemas.ts";
import { type ApiKey, createApiKey, planLimits } from "../../../features/api-keys/api-keys.service.ts";
import { listConnections } from "../../../features/connections/connections.service.ts";
import { getWorkspace } from "../../../features/workspaces/workspaces.service.ts";
import { ButtonLink, CopyField } from "../../kit/actions.tsx";
import { workspacePages } from "../../kit/audiences.ts";
import { Banner, EmptyState, Section } from "../../kit/feedback.tsx";
import { Form, SelectField, Submit, TextField } from "../../kit/forms/form-fields.tsx";
import type { WorkspaceRequest } from "../../kit/request.ts";
import { Page } from "../../kit/page/page.tsx";
import { ApiKeyFields, newApiKeyForm } from "./api-key-fields.tsx";
import { providerFacts } from "../../../channels/providers.ts";

export const newApiKeyPages = workspacePages();

async function newKeyPage({ ctx, path }: WorkspaceRequest) {
  const [connections, { plan }] = await Promise.all([
    listConnections(ctx, 100, undefined),
    getWorkspace(ctx, ctx.workspace.id),
  ]);
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
          An API key sends through one connection. Start with a sandbox.
        </EmptyState>
      ) : (
        <Form action={path("/settings/api-keys/new")} class="narrow">
          <TextField name="name" label="Name" help="Where you use it, like “Web shop”." required />
          <SelectField
            name="connection_id"
            label="Connection"
            help="Messages sent with this key use this connection. You can't change it later."
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

newApiKeyPages.get("/settings/api-keys/new", {}, (request) => newKeyPage(request));

newApiKeyPages.post(
  "/settings/api-keys/new",
  { body: newApiKeyForm, onInvalid: (request) => newKeyPage(request) },
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
                  ? "Run it in a terminal. This key is read-only, so it sends nothing."
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
