import type { FC } from "hono/jsx";
import * as z from "zod";
import { findSequencesOfTimes } from "../../../features/event-feed/read-events.ts";
import { replayRange } from "../../../features/webhooks/inspect-deliveries.ts";
import { replayBody } from "../../../features/webhooks/webhooks.schemas.ts";
import type { Ctx } from "../../../shared/context.ts";
import { Section } from "../../kit/feedback.tsx";
import { ChoiceField } from "../../kit/forms/choice-fields.tsx";
import { Form, SelectField, Submit } from "../../kit/forms/form-fields.tsx";
import { formatCount, formatNumber } from "../../kit/format.ts";
import { fieldTime, TimeField } from "../../kit/forms/time-field.tsx";
import { eventTypeOptions } from "../events/event-parts.tsx";

const time = fieldTime
  .pipe(z.iso.datetime({ error: "Enter a date and a time." }).transform((text) => Date.parse(text)))
  .optional();

/** The API's body with times instead of event IDs. */
export const replayFormBody = z
  .strictObject({ from: time, to: time, types: replayBody.shape.types, only: replayBody.shape.only })
  .refine(({ from, to }) => from === undefined || to === undefined || from < to, {
    path: ["to"],
    message: "Must be later than “From”.",
  });

/** Replays events and returns a message with their number. Throws `not_found`, `invalid_state`. */
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
