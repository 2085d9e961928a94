// Source: developers.facebook.com/documentation/business-messaging/whatsapp/webhooks/reference
// (message_template_status_update, message_template_quality_update, template_category_update)
import * as z from "zod";
import type { ProviderTemplate, TemplateStatus } from "../../templates/channel-templates.ts";
import { excerpt } from "../../answers.ts";
import { lenientText, lenientObject, type LenientText, storable, idOf, shortText } from "../../provider-input.ts";
import type { ChannelEvent } from "../../channel-events.ts";
import { each } from "../received/people.ts";

const statuses = new Map<string, TemplateStatus>(
  Object.entries({
    APPROVED: "APPROVED",
    REINSTATED: "APPROVED",
    UNARCHIVED: "APPROVED",
    UNPAUSED: "APPROVED",
    PENDING: "PENDING",
    IN_APPEAL: "PENDING",
    REJECTED: "REJECTED",
    PAUSED: "REJECTED",
    DISABLED: "REJECTED",
    ARCHIVED: "REJECTED",
    DELETED: "REJECTED",
    PENDING_DELETION: "REJECTED",
    LIMIT_EXCEEDED: "REJECTED",
  } as const),
);

export const readTemplateStatus = (name: string): TemplateStatus | null => statuses.get(name.toUpperCase()) ?? null;

const components = z.array(z.record(z.string(), z.unknown())).catch([]);

const storableComponents = (held: z.infer<typeof components>) =>
  components.parse(
    JSON.parse(JSON.stringify(held), (_, value: unknown) => (typeof value === "string" ? storable(value) : value)),
  );

const template = z.object({
  id: z.coerce.string(),
  name: z.string(),
  language: z.string(),
  status: z.string(),
  category: lenientText,
  parameter_format: lenientText,
  quality_score: lenientObject({ score: lenientText }),
  rejected_reason: lenientText,
  components,
});

const MAX_WORD = 60;

const wordOf = (word: LenientText): string | null => shortText(word, MAX_WORD);

/** Meta sends `UNKNOWN` while it has not rated the template. */
const ratingOf = (score: LenientText): string | null => (score === "UNKNOWN" ? null : wordOf(score));

const reasonOf = (reason: LenientText): string | null =>
  reason && reason !== "NONE" ? excerpt(storable(reason)) : null;

const list = z.object({
  data: z.array(z.unknown()),
  paging: lenientObject({
    cursors: z.object({ after: z.string().nullish() }).nullish(),
    next: z.string().nullish(),
  }),
});

const toProviderTemplate = (found: z.infer<typeof template>): ProviderTemplate => ({
  providerId: found.id,
  name: found.name,
  language: found.language,
  category: found.category ?? null,
  status: readTemplateStatus(found.status) ?? "PENDING",
  parameters: found.parameter_format?.toUpperCase() === "NAMED" ? "named" : "positional",
  components: storableComponents(found.components),
  quality: ratingOf(found.quality_score?.score),
  rejectionReason: reasonOf(found.rejected_reason),
});

export function templatePage(answer: unknown): { templates: ProviderTemplate[]; after: string | null } | null {
  const { data: page } = list.safeParse(answer);
  if (page === undefined) return null;
  const templates = page.data.flatMap((raw) => {
    const { data } = template.safeParse(raw);
    return data === undefined ? [] : [toProviderTemplate(data)];
  });
  return { templates, after: page.paging?.next ? (page.paging.cursors?.after ?? null) : null };
}

const templateNames = {
  message_template_id: z.union([z.string(), z.number()]).transform(String),
  message_template_name: z.string(),
  message_template_language: z.string(),
};

type TemplateEvent = Extract<ChannelEvent, { type: "template" }>;
type Named = z.infer<z.ZodObject<typeof templateNames>>;

function eventOf(named: Named, at: number, change: Partial<TemplateEvent>): ChannelEvent[] {
  const providerId = idOf(named.message_template_id);
  if (providerId === null) return [];
  const [name, language] = [storable(named.message_template_name), storable(named.message_template_language)];
  return [{ type: "template", providerId, name, language, status: null, reason: null, ...change, at }];
}

const statusUpdate = z.object({
  ...templateNames,
  event: z.string(),
  reason: lenientText,
  message_template_category: lenientText,
  rejection_info: lenientObject({ reason: lenientText, recommendation: lenientText }),
  other_info: lenientObject({ title: lenientText, description: lenientText }),
});

const reasonIn = ({ reason, rejection_info, other_info }: z.infer<typeof statusUpdate>): string | null =>
  reasonOf(
    [
      reasonOf(reason),
      rejection_info?.reason,
      rejection_info?.recommendation,
      other_info?.description ?? other_info?.title,
    ]
      .filter((part) => typeof part === "string" && part !== "")
      .join(": "),
  );

export const templateStatusEvents = (value: unknown, at: number): ChannelEvent[] =>
  each(statusUpdate, (update) => {
    const status = readTemplateStatus(update.event);
    const category = wordOf(update.message_template_category);
    return status === null
      ? []
      : eventOf(update, at, { status, reason: reasonIn(update), ...(category && { category }) });
  })(value);

const qualityUpdate = z.object({ ...templateNames, new_quality_score: z.string() });

export const templateQualityEvents = (value: unknown, at: number): ChannelEvent[] =>
  each(qualityUpdate, (update) => {
    const quality = ratingOf(update.new_quality_score);
    return quality === null ? [] : eventOf(update, at, { quality });
  })(value);

/** Ignores updates with `correct_category`, because they announce a change that Meta has not made yet. */
const categoryUpdate = z.object({ ...templateNames, new_category: z.string(), correct_category: lenientText });

export const templateCategoryEvents = (value: unknown, at: number): ChannelEvent[] =>
  each(categoryUpdate, (update) => {
    const category = wordOf(update.new_category);
    const isToCome = update.correct_category !== null && update.correct_category !== undefined;
    return category === null || isToCome ? [] : eventOf(update, at, { category });
  })(value);
