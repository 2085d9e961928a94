import type { FC } from "hono/jsx";
import type { Connection } from "../../../features/connections/connections.schemas.ts";
import { Banner, Facts, Section } from "../../kit/feedback.tsx";
import { Form, SelectField, Submit } from "../../kit/forms/form-fields.tsx";
import { formatCount } from "../../kit/format.ts";
import { describeLag, describeTypes, TimeOr, WebhookStatusBadge, type WebhookView } from "./webhook-parts.tsx";

const campaignTexts = {
  include: "Including campaign messages",
  exclude: "Without campaign messages",
  only: "Only campaign messages",
} satisfies Record<WebhookView["campaigns"], string>;

const describeBatch = ({ batch }: WebhookView): string =>
  batch === null
    ? "One event per request"
    : `Up to ${formatCount(batch.max_events, "event")}, after at most ${formatCount(batch.max_wait_seconds, "second")}`;

export const Health: FC<{ webhook: WebhookView }> = ({ webhook }) => (
  <div id="health">
    {webhook.status === "probing" && (
      <Banner kind="warning">
        Your endpoint keeps failing, so we try it less often. Events are kept and sent when it responds again.
        {webhook.status_reason !== null && ` ${webhook.status_reason}`}
      </Banner>
    )}
    {webhook.status === "disabled" && (
      <Banner kind="error">
        Deliveries have stopped. {webhook.status_reason} Fix the endpoint, then enable the webhook to resume where it
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
        ["Connections", webhook.connection_ids?.map((id) => names.get(id) ?? "deleted connection").join(", ") ?? "All"],
        ["Requests", describeBatch(webhook)],
      ]}
    />
  );
};

const overlaps = [
  { value: "0", label: "Immediately" },
  { value: "3600", label: "In 1 hour" },
  { value: "86400", label: "In 1 day" },
  { value: "604800", label: "In 1 week" },
];

export const SecretSection: FC<{ here: string }> = ({ here }) => (
  <Section
    title="Signing secret"
    help="The new secret is shown only once. Until the current secret expires, requests are signed with both."
  >
    <Form action={`${here}/rotate-secret`} name="rotate" class="narrow">
      <SelectField name="overlap_seconds" label="Current secret expires" options={overlaps} value="86400" required />
      <Submit kind="plain">Rotate secret</Submit>
    </Form>
  </Section>
);
