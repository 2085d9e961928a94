// Sending events of a time again.
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
  .pipe(z.iso.datetime({ error: "Enter a day and a time." }).transform((text) => Date.parse(text)))
  .optional();

/** The API's body, with times in place of events' ids. */
export const replayFormBody = z
  .strictObject({ from: time, to: time, types: replayBody.shape.types, only: replayBody.shape.only })
  .refine(({ from, to }) => from === undefined || to === undefined || from < to, {
    path: ["to"],
    message: "Must be later than “From”.",
  });

/** Has events sent again, and says how many. Throws `not_found`, `invalid_state`. */
export async function replayTimes(
  ctx: Ctx,
  id: string,
  { from, to, types, only }: z.output<typeof replayFormBody>,
): Promise<string> {
  const range = await findSequencesOfTimes(ctx, { from, to });
  const count = await replayRange(ctx, id, { ...range, types, only });
  if (count === 0)
    return only === "failed" ? "No delivery has failed in this time." : "There are no events in this time.";
  return only === "failed"
    ? `${formatCount(count, "event")} that had failed ${count === 1 ? "is" : "are"} sent again.`
    : `Sending the matching events among ${formatNumber(count)} in the log.`;
}

const options = [{ value: "", label: "All that it wants" }, ...eventTypeOptions];

export const ReplaySection: FC<{ here: string }> = ({ here }) => (
  <Section
    title="Send events again"
    id="replay"
    help="After your software lost some, or to fill a new system. Each keeps its id, so your software can recognise what it already has."
  >
    <Form action={`${here}/replay`} name="replay" class="narrow">
      <ChoiceField
        name="only"
        label="Which"
        value="failed"
        options={[
          { value: "failed", label: "Only what failed for good", help: "Of the last 7 days." },
          { value: "all", label: "All events", help: "Of the last 30 days, in their order." },
        ]}
      />
      <TimeField name="from" label="From" help="Empty: from the oldest." />
      <TimeField name="to" label="To" help="Empty: to the newest." />
      <SelectField name="types" label="Types" options={options} />
      <Submit kind="plain">Send again</Submit>
    </Form>
  </Section>
);
