import * as z from "zod";
import type { FC } from "hono/jsx";
import type { Connection } from "../../../features/connections/connections.schemas.ts";
import { Banner, Facts, Section } from "../../kit/feedback.tsx";
import { ButtonLink, CopyField } from "../../kit/actions.tsx";
import { Page } from "../../kit/page/page.tsx";
import { verificationSamples } from "./verification-code.ts";
import { findSequencesOfTimes } from "../../../features/event-feed/read-events.ts";
import { replayRange } from "../../../features/webhooks/inspect-deliveries.ts";
import { replayBody } from "../../../features/webhooks/webhooks.schemas.ts";
import type { Ctx } from "../../../shared/context.ts";
import { ChoiceField } from "../../kit/forms/choice-fields.tsx";
import { Form, SelectField, Submit } from "../../kit/forms/form-fields.tsx";
import { formatCount, formatNumber } from "../../kit/format.ts";
import { fieldTime, TimeField } from "../../kit/forms/time-field.tsx";
import { eventTypeOptions } from "../events/event-parts.tsx";

import { describeLag, describeTypes, TimeOr, WebhookStatusBadge, type WebhookView } from "./webhooks.tsx";
import { namesOf } from "../choices.ts";

const Samples: FC<{ secret: string }> = ({ secret }) => (
  <>
    {verificationSamples(secret).map(({ id, label, help, text }, index) => (
      <details class="sample" id={`sample-${id}`} name="samples" open={index === 0}>
        <summary>{label}</summary>
        <CopyField id={`code-${id}`} label={label} value={text.trimEnd()} help={help} />
      </details>
    ))}
  </>
);

interface SecretProps {
  title: string;
  secret: string;
  back: string;
  note?: string;
}

export const showSecretPage = ({ title, secret, back, note }: SecretProps) => (
  <Page title={title}>
    <div class="readable">
      <Banner kind="warning">
        Copy the secret now: it is shown only once. If you lose it, rotate it on the webhook's page.
        {note !== undefined && ` ${note}`}
      </Banner>
      <CopyField
        id="secret"
        label="Signing secret"
        value={secret}
        help="Proves that a request comes from Tidings. Keep it secret, like a password."
      />
      <Section
        title="Verify requests"
        help={
          <>
            Requests are signed with <a href="https://www.standardwebhooks.com">Standard Webhooks</a>, which has
            libraries for many languages. These samples need none and contain the secret above.
          </>
        }
      >
        <Samples secret={secret} />
      </Section>
      <ButtonLink href={back} kind="primary">
        I have copied it
      </ButtonLink>
    </div>
  </Page>
);

const time = fieldTime
  .pipe(z.iso.datetime({ error: "Enter a date and a time." }).transform((text) => Date.parse(text)))
  .optional();

export const replayFormBody = z
  .strictObject({ from: time, to: time, types: replayBody.shape.types, only: replayBody.shape.only })
  .refine(({ from, to }) => from === undefined || to === undefined || from < to, {
    path: ["to"],
    message: "Must be later than “From”.",
  });

export async function replayTimes(
  ctx: Ctx,
  id: string,
  { from, to, types, only }: z.output<typeof replayFormBody>,
): Promise<string> {
  const range = await findSequencesOfTimes(ctx, { from, to });
  const count = await replayRange(ctx, id, { ...range, types, only });
  if (count === 0) return only === "failed" ? "No failed deliveries in this period." : "No events in this period.";
  return only === "failed"
    ? `${formatCount(count, "event")} with a failed delivery ${count === 1 ? "is" : "are"} sent again.`
    : `Sending matching events out of ${formatNumber(count)}.`;
}

const options = [{ value: "", label: "All subscribed events" }, ...eventTypeOptions];

export const ReplaySection: FC<{ here: string }> = ({ here }) => (
  <Section
    title="Send events again"
    id="replay"
    help="Recover lost events, or fill a new system. Event IDs stay the same, so your software can skip duplicates."
  >
    <Form action={`${here}/replay`} name="replay" class="narrow">
      <ChoiceField
        name="only"
        label="Which"
        value="failed"
        options={[
          { value: "failed", label: "Only permanently failed events", help: "From the last 7 days." },
          { value: "all", label: "All events", help: "From the last 30 days, in order." },
        ]}
      />
      <TimeField name="from" label="From" help="Leave empty for the oldest." />
      <TimeField name="to" label="To" help="Leave empty for the newest." />
      <SelectField name="types" label="Types" options={options} />
      <Submit kind="plain">Send again</Submit>
    </Form>
  </Section>
);

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
  const names = namesOf(connections);
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
