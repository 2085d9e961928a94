import { createConnectionBody, presentConnection } from "../../../features/connections/connections.schemas.ts";
import { type Provider, providerFacts } from "../../../channels/providers.ts";
import * as z from "zod";
import { listWebhookEvents } from "../../../features/connections/connections.service.ts";
import { createConnectionWithTemplates } from "../../../features/templates/sync/sync-templates.ts";
import { CopyField, PostButton } from "../../kit/actions.tsx";
import { redirectTo } from "../../kit/results.ts";
import { workspacePages } from "../../kit/audiences.ts";
import { Banner } from "../../kit/feedback.tsx";
import { CheckField, ChoiceField } from "../../kit/forms/choice-fields.tsx";
import { Form, Submit, TextField } from "../../kit/forms/form-fields.tsx";
import type { WorkspaceRequest } from "../../kit/request.ts";
import { Page } from "../../kit/page/page.tsx";
import { typedSettings, ConfigFields, CONNECTIONS_PATH, settingLabel, providerDescriptions } from "./providers.tsx";

export const newConnectionPages = workspacePages();

const NEW = "/settings/connections/new";

const chosen = z.strictObject({ provider: createConnectionBody.shape.provider.optional() });

function choicePage({ path }: WorkspaceRequest) {
  return (
    <Page title="New connection">
      <p>Choose a service to send and receive through.</p>
      <ul class="choices narrow">
        {chosen.shape.provider.unwrap().options.map((provider) => (
          <li>
            <a href={path(`${NEW}?provider=${provider}`)}>
              <strong>{providerFacts[provider].name}</strong>
              <span class="help">{providerDescriptions[provider]}</span>
            </a>
          </li>
        ))}
      </ul>
    </Page>
  );
}

const channelTexts = {
  unofficial: { label: "Unofficial", help: "Like a linked phone: accepts free text at any time, and local templates." },
  official: {
    label: "Official",
    help: "Like WhatsApp's API: accepts free text within 24 hours after the person wrote, and approved templates.",
  },
};

function newPage({ path }: WorkspaceRequest, provider: Provider) {
  const [channel, ...others] = providerFacts[provider].channels;
  return (
    <Page title={`New connection: ${providerFacts[provider].name}`}>
      <p>
        {providerDescriptions[provider]} <a href={path(NEW)}>Choose another service</a>
      </p>
      <Form action={path(NEW)} class="narrow">
        <input type="hidden" name="provider" value={provider} />
        <TextField name="name" label="Name" help="Only your team sees this name, like “Support line”." required />
        {others.length === 0 ? (
          <input type="hidden" name="channel" value={channel} />
        ) : (
          <ChoiceField
            name="channel"
            label="Simulated channel"
            options={[...others, channel].map((value) => ({ value, ...channelTexts[value] }))}
            value="unofficial"
          />
        )}
        <ConfigFields provider={provider} />
        <TextField
          name="messages_per_second"
          label="Messages per second"
          help="Maximum. Leave empty for the provider's default."
          inputmode="numeric"
        />
        <CheckField
          name="is_default"
          label="Default for its channel"
          help="Campaigns on this channel use its default connection. The first connection of a channel is always the default."
        />
        <Submit>Create connection</Submit>
      </Form>
    </Page>
  );
}

const newConnectionForm = createConnectionBody.safeExtend({ config: typedSettings });

interface Created {
  provider: Provider;
  webhookUrl: string;
  events: readonly string[];
  secrets: Record<string, string>;
}

const steps: Record<Provider, { where: string; events: string }> = {
  sandbox: { where: "", events: "" },
  whatsapp_cloud: {
    where:
      "In your app at developers.facebook.com, open WhatsApp → Configuration, choose Edit next to the callback URL and enter these values.",
    events: "Then subscribe to the fields",
  },
  waha: {
    where: "In WAHA's dashboard, open the session's settings and add a webhook with this URL and HMAC key.",
    events: "Select the events",
  },
};

const Codes = ({ names }: { names: readonly string[] }) => (
  <>
    {names.map((name, at) => (
      <>
        {at > 0 && (at === names.length - 1 ? " and " : ", ")}
        <code>{name}</code>
      </>
    ))}
  </>
);

const WebhookSetup = ({ provider, webhookUrl, events, secrets }: Created) => (
  <>
    <p>
      {steps[provider].where} {steps[provider].events} <Codes names={events} />.
    </p>
    <CopyField id="webhook-url" label="Webhook URL" value={webhookUrl} />
    {Object.entries(secrets).map(([name, value]) => (
      <CopyField
        id={`secret-${name}`}
        label={settingLabel(provider, name)}
        value={value}
        help="Shown only once. If you lose this value, enter a new one in the connection's settings."
      />
    ))}
  </>
);

const WorkingConnection = ({ at, created }: { at: string; created: Created }) => (
  <>
    <Banner kind="done">{providerFacts[created.provider].name} accepted these settings.</Banner>
    <p>One step left: set up the webhook so you receive messages and receipts.</p>
    <WebhookSetup {...created} />
    <PostButton action={`${at}/test`} kind="primary">
      Test connection
    </PostButton>
  </>
);

/**
 * The page for a new connection whose test failed. Shows the webhook's secrets first, because no other page
 * shows them.
 */
const FailingConnection = ({ at, created, detail }: { at: string; created: Created; detail: string | null }) => (
  <>
    <Banner kind="error">
      The connection is saved but can't send yet. The {providerFacts[created.provider].name} test failed: {detail}
    </Banner>
    <p>Three steps left:</p>
    <ol class="steps">
      <li>
        <strong>Set up the webhook so you receive messages and receipts.</strong>
        {Object.keys(created.secrets).length > 0 && " Do this first: some values are shown only once."}
        <WebhookSetup {...created} />
      </li>
      <li>
        <strong>Fix the error above.</strong> If a setting is wrong, <a href={`${at}#settings`}>edit this connection</a>
        . Otherwise fix the problem at the provider.
      </li>
      <li>
        <strong>Test the connection again.</strong> When the test passes, the connection is active and can send.
        <p>
          <PostButton action={`${at}/test`} kind="primary">
            Test again
          </PostButton>
        </p>
      </li>
    </ol>
  </>
);

newConnectionPages.get(NEW, { query: chosen }, (request, { query: { provider } }) =>
  provider === undefined ? choicePage(request) : newPage(request, provider),
);

newConnectionPages.post(
  "/settings/connections/new",
  {
    body: newConnectionForm,
    onInvalid: async (request) => {
      const provider = chosen.shape.provider.safeParse(request.refused?.values.get("provider")?.[0]).data;
      return provider === undefined ? choicePage(request) : newPage(request, provider);
    },
  },
  async ({ ctx, path, url }, { body }) => {
    const { connection, secrets } = await createConnectionWithTemplates(ctx, {
      ...body,
      messagesPerSecond: body.messages_per_second,
      isDefault: body.is_default,
      test: true,
    });
    const at = path(`${CONNECTIONS_PATH}/${connection.id}`);
    const { provider, name } = connection;
    if (provider === "sandbox")
      return redirectTo(at, `${name} is ready. Simulate a message below to see it in the inbox.`);
    const { webhook_url: webhookUrl } = presentConnection(connection, url.origin);
    const works = connection.status === "active";
    const created = { provider, webhookUrl, events: await listWebhookEvents(provider), secrets };
    return (
      <Page title={works ? `${name} is almost ready` : `${name} doesn't work yet`}>
        <div class="readable">
          {works ? (
            <WorkingConnection at={at} created={created} />
          ) : (
            <FailingConnection at={at} created={created} detail={connection.statusDetail} />
          )}
        </div>
      </Page>
    );
  },
);
