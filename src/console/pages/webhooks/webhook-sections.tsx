// How a webhook is, what it sends, and its secret.
import type { FC } from "hono/jsx";
import type { Connection } from "../../../features/connections/connections.service.ts";
import { Banner, Facts, Section } from "../../kit/feedback.tsx";
import { Form, SelectField, Submit } from "../../kit/forms/form-fields.tsx";
import { formatCount } from "../../kit/format.ts";
import { describeLag, describeTypes, TimeOr, WebhookStatusBadge, type WebhookView } from "./webhook-parts.tsx";

const campaignTexts = {
  include: "Messages of campaigns, too",
  exclude: "No messages of campaigns",
  only: "Only campaign messages",
} satisfies Record<WebhookView["campaigns"], string>;

const describeBatch = ({ batch }: WebhookView): string =>
  batch === null
    ? "Each event by itself"
    : `Up to ${formatCount(batch.max_events, "event")}, after ${formatCount(batch.max_wait_seconds, "second")} at most`;

export const Health: FC<{ webhook: WebhookView }> = ({ webhook }) => (
  <div id="health">
    {webhook.status === "probing" && (
      <Banner kind="warning">
        The endpoint keeps failing, so it is only tried from time to time. Events wait in the log, and are sent once it
        answers again.
        {webhook.status_reason !== null && ` ${webhook.status_reason}`}
      </Banner>
    )}
    {webhook.status === "disabled" && (
      <Banner kind="error">
        Nothing is sent any more. {webhook.status_reason} Enable it once the endpoint works: it goes on where it
        stopped.
      </Banner>
    )}
    <Facts
      facts={[
        ["Status", <WebhookStatusBadge status={webhook.status} failingSince={webhook.failingSince} />],
        ["Progress", describeLag(webhook.lag)],
        ["Last success", <TimeOr at={webhook.last_success_at} otherwise="Never" />],
        ["Last failure", <TimeOr at={webhook.last_failure_at} otherwise="Never" />],
      ]}
    />
  </div>
);

export const SettingsSection: FC<{ webhook: WebhookView; connections: readonly Connection[] }> = ({
  webhook,
  connections,
}) => {
  const names = new Map(connections.map(({ id, name }) => [id, name]));
  return (
    <Facts
      facts={[
        ["Address", webhook.url],
        ["Events", describeTypes(webhook.types)],
        ["Campaigns", campaignTexts[webhook.campaigns]],
        ["Connections", webhook.connection_ids?.map((id) => names.get(id) ?? "a deleted one").join(", ") ?? "All"],
        ["Requests", describeBatch(webhook)],
      ]}
    />
  );
};

const overlaps = [
  { value: "0", label: "At once" },
  { value: "3600", label: "In an hour" },
  { value: "86400", label: "In a day" },
  { value: "604800", label: "In a week" },
];

export const SecretSection: FC<{ here: string }> = ({ here }) => (
  <Section
    title="Signing secret"
    help="A new one is shown once. Until the one before ends, requests carry a signature of each, so that nothing is refused meanwhile."
  >
    <Form action={`${here}/rotate-secret`} name="rotate" class="narrow">
      <SelectField name="overlap_seconds" label="The secret used now ends" options={overlaps} value="86400" required />
      <Submit kind="plain">Make a new secret</Submit>
    </Form>
  </Section>
);
