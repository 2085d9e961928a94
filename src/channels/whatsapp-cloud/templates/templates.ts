// Message templates as Meta describes them.
import * as z from "zod";
import type { ProviderTemplate, TemplateStatus } from "../../templates/channel-templates.ts";
import { excerpt } from "../../answers.ts";
import { lenientText } from "../../lenient.ts";
import { storable } from "../../readable.ts";

/** Statuses of the template list and events of the webhook; others say nothing about whether it may be sent. */
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

/** Components without the characters that no text may hold. */
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
  quality_score: z.object({ score: lenientText }).nullish().catch(null),
  rejected_reason: lenientText,
  components,
});

const MAX_WORD = 60;

/** One of the provider's words. */
export const wordOf = (word: string | null | undefined): string | null =>
  word ? storable(word).slice(0, MAX_WORD).toWellFormed() : null;

/** A rating; `UNKNOWN` is none yet. */
export const ratingOf = (score: string | null | undefined): string | null =>
  score === "UNKNOWN" ? null : wordOf(score);

/** A reason; `NONE` is none. */
export const reasonOf = (reason: string | null | undefined): string | null =>
  reason && reason !== "NONE" ? excerpt(storable(reason)) : null;

const list = z.object({
  data: z.array(z.unknown()),
  paging: z
    .object({
      cursors: z.object({ after: z.string().nullish() }).nullish(),
      next: z.string().nullish(),
    })
    .nullish()
    .catch(null),
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

/** A page of the list and the cursor of the next one; null when it is no such page. */
export function templatePage(answer: unknown): { templates: ProviderTemplate[]; after: string | null } | null {
  const { data: page } = list.safeParse(answer);
  if (page === undefined) return null;
  const templates = page.data.flatMap((each) => {
    const { data } = template.safeParse(each);
    return data === undefined ? [] : [toProviderTemplate(data)];
  });
  return { templates, after: page.paging?.next ? (page.paging.cursors?.after ?? null) : null };
}
