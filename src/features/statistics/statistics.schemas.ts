import * as z from "zod";
import { wholeNumber } from "../../http/fields.ts";
import { type AnsweredBy, answerPercentile, countAnswers, type NamedCounts, queuedByKey } from "./statistics.counts.ts";
import type { DayOfStatistics } from "./statistics.service.ts";

export const listStatisticsQuery = z.strictObject({
  days: wholeNumber(1, 400)
    .default(30)
    .meta({ description: "Number of days, including today.", override: { default: 30 } }),
});

const steps = { sent: z.int(), delivered: z.int(), read: z.int(), failed: z.int() };

const answers = z.strictObject({
  count: z.int(),
  median_seconds: z.int().nullable(),
  p90_seconds: z.int().nullable(),
});

export const dayView = z
  .strictObject({
    date: z.iso.date().meta({ description: "The day, in the time zone that the workspace had on that day." }),
    messages: z.strictObject({ received: z.int(), queued: z.int(), ...steps }).meta({
      description:
        "Direct messages. Each change of state counts on its own day: a message can be sent on one day and read on the next.",
    }),
    campaign_messages: z
      .strictObject(steps)
      .meta({ description: "Messages of campaigns. Each change of state counts on its own day." }),
    opt_outs: z.int(),
    opt_ins: z.int(),
    conversations: z.strictObject({ opened: z.int(), done: z.int() }).meta({
      description:
        "Number of times that conversations were opened and marked as done. Changes that were undone also count.",
    }),
    answers: z.strictObject({ people: answers, software: answers }).meta({
      description:
        "How long people waited for the first reply from a member, or from software with a key. Waiting times are counted in ranges, so `median_seconds` and `p90_seconds` are estimates: after a single reply in 12 seconds, they are 15 and 27.",
    }),
    queued_by_key: z
      .array(z.strictObject({ key_id: z.string(), count: z.int() }))
      .meta({ description: "Direct messages by API key." }),
  })
  .meta({ id: "DayOfStatistics" });

const presentAnswers = (counts: NamedCounts, by: AnsweredBy): z.infer<typeof answers> => ({
  count: countAnswers(counts, by),
  median_seconds: answerPercentile(counts, by, 0.5),
  p90_seconds: answerPercentile(counts, by, 0.9),
});

export function presentDay({ day, counts }: DayOfStatistics): z.infer<typeof dayView> {
  const of = (name: string) => counts.get(name) ?? 0;
  const stepsOf = (kind: string) => ({
    sent: of(`${kind}.sent`),
    delivered: of(`${kind}.delivered`),
    read: of(`${kind}.read`),
    failed: of(`${kind}.failed`),
  });
  return {
    date: day,
    messages: { received: of("message.received"), queued: of("message.queued"), ...stepsOf("message") },
    campaign_messages: stepsOf("campaign"),
    opt_outs: of("contact.opted_out"),
    opt_ins: of("contact.opted_in"),
    conversations: { opened: of("conversation.opened"), done: of("conversation.done") },
    answers: { people: presentAnswers(counts, "people"), software: presentAnswers(counts, "software") },
    queued_by_key: queuedByKey(counts).map(([key_id, count]) => ({ key_id, count })),
  };
}
