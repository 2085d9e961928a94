import * as z from "zod";
import {
  createConnectionBody,
  presentConnection,
  type Provider,
  providers,
} from "../../features/connections/connections.schemas.ts";
import { connect } from "../../features/templates/sync-templates.ts";
import { CopyField, PostButton } from "../kit/actions.tsx";
import { go, show } from "../kit/answers.ts";
import { workspacePages } from "../kit/audiences.ts";
import { Banner } from "../kit/feedback.tsx";
import { CheckField, ChoiceField, Form, Submit, TextField } from "../kit/form-fields.tsx";
import { type FormState, type SentForm, untouched } from "../kit/forms.ts";
import type { WorkspaceVisit } from "../kit/visit.ts";
import { ConfigFields, CONNECTIONS, labelOf, providerNames, providerSentences } from "./connections-guide.tsx";

export const newConnectionPages = workspacePages();

const NEW = "/settings/connections/new";

const chosen = z.strictObject({ provider: createConnectionBody.shape.provider.optional() });

function choicePage({ path }: WorkspaceVisit) {
  return show({
    title: "New connection",
    body: (
      <>
        <p>Through what do you want to send and receive?</p>
        <ul class="choices narrow">
          {chosen.shape.provider.unwrap().options.map((provider) => (
            <li>
              <a href={path(`${NEW}?provider=${provider}`)}>
                <strong>{providerNames[provider]}</strong>
                <span class="help">{providerSentences[provider]}</span>
              </a>
            </li>
          ))}
        </ul>
      </>
    ),
  });
}

const channelWords = {
  unofficial: { label: "Unofficial", help: "Like a linked phone: free text at any time, local templates." },
  official: {
    label: "Official",
    help: "Like WhatsApp's API: free text within 24 hours, templates that were approved.",
  },
};

function newPage({ path }: WorkspaceVisit, provider: Provider, state: FormState = untouched) {
  const [channel, ...others] = providers[provider].channels;
  return show({
    title: `New connection: ${providerNames[provider]}`,
    body: (
      <>
        <p>
          {providerSentences[provider]} <a href={path(NEW)}>Choose something else</a>
        </p>
        <Form action={path(NEW)} state={state} class="narrow">
          <input type="hidden" name="provider" value={provider} />
          <TextField
            name="name"
            label="Name"
            help="What your team calls it, like “Support line”."
            required
            state={state}
          />
          {others.length === 0 ? (
            <input type="hidden" name="channel" value={channel} />
          ) : (
            <ChoiceField
              name="channel"
              label="What it plays"
              options={[...others, channel].map((value) => ({ value, ...channelWords[value] }))}
              value="unofficial"
              state={state}
            />
          )}
          <ConfigFields provider={provider} state={state} />
          <TextField
            name="messages_per_second"
            label="Messages per second"
            help="At most. Empty: what suits the provider."
            inputmode="numeric"
            state={state}
          />
          <CheckField
            name="is_default"
            label="Default of its channel"
            help="The first connection of a channel is its default anyway."
            state={state}
          />
          <Submit>Create connection</Submit>
        </Form>
      </>
    ),
  });
}

/** Fields of settings are `config.<name>`; the sandbox has none. */
const readConnection = (form: SentForm) => ({
  config: {},
  ...form.body(),
  messages_per_second: form.number("messages_per_second"),
  is_default: form.checked("is_default"),
});

interface Created {
  provider: Provider;
  webhookUrl: string;
  secrets: Record<string, string>;
}

const steps: Record<Provider, string> = {
  sandbox: "",
  whatsapp_cloud:
    "In your app at developers.facebook.com open WhatsApp → Configuration, press Edit beside the callback URL and put these in. Then subscribe to the fields messages, smb_message_echoes, message_template_status_update, account_update, phone_number_quality_update, user_preferences and user_id_update.",
  waha: "In WAHA's dashboard open the session's settings, add a webhook with this URL and the HMAC key below it, and tick the events message.any, message.ack, message.reaction, message.edited, message.revoked and session.status.",
};

const Handover = ({ provider, webhookUrl, secrets }: Created) => (
  <>
    <p>{steps[provider]}</p>
    <CopyField id="webhook-url" label="Webhook URL" value={webhookUrl} />
    {Object.entries(secrets).map(([name, value]) => (
      <CopyField
        id={`secret-${name}`}
        label={labelOf(provider, name)}
        value={value}
        help="Shown this once. If it is lost, put another one into the connection's settings."
      />
    ))}
  </>
);

newConnectionPages.get(NEW, { query: chosen }, (visit, { query: { provider } }) =>
  provider === undefined ? choicePage(visit) : newPage(visit, provider),
);

newConnectionPages.post(
  "/settings/connections/new",
  {
    body: createConnectionBody,
    read: readConnection,
    again: async (visit, _, form) => {
      const provider = chosen.shape.provider.safeParse(form.values.get("provider")?.[0]).data;
      return provider === undefined ? choicePage(visit) : newPage(visit, provider, form);
    },
  },
  async ({ ctx, path, url }, { body }) => {
    const { connection, secrets } = await connect(ctx, {
      ...body,
      messagesPerSecond: body.messages_per_second,
      isDefault: body.is_default,
      test: true,
    });
    const at = path(`${CONNECTIONS}/${connection.id}`);
    const { provider, name } = connection;
    if (provider === "sandbox") return go(at, `${name} is ready. Play a message below to see it in the inbox.`);
    const { webhook_url: webhookUrl } = presentConnection(connection, url.origin);
    const works = connection.status === "active";
    return show({
      title: works ? `${name} is almost ready` : `${name} does not work yet`,
      body: (
        <div class="readable">
          {works ? (
            <Banner kind="done">{providerNames[provider]} accepts these settings.</Banner>
          ) : (
            <Banner kind="error">
              The connection is saved, but its test failed: {connection.statusDetail}{" "}
              <a href={at}>Correct its settings</a>.
            </Banner>
          )}
          <p>One step is left: tell the provider where to report messages and receipts.</p>
          <Handover {...{ provider, webhookUrl, secrets }} />
          <PostButton action={`${at}/test`} kind="primary">
            Done: test the connection
          </PostButton>
        </div>
      ),
    });
  },
);
