// Reviews, ratings and categories of templates, as Meta's webhooks report them.
// Source: developers.facebook.com/documentation/business-messaging/whatsapp/webhooks/reference (message_template_status_update,
// message_template_quality_update, template_category_update)
import * as z from "zod";
import type { ChannelEvent } from "../../channel.ts";
import { lenientText } from "../../lenient.ts";
import { idOf, storable } from "../../readable.ts";
import { each } from "../received/people.ts";
import { ratingOf, readTemplateStatus, reasonOf, wordOf } from "./templates.ts";

const template = {
  message_template_id: z.union([z.string(), z.number()]).transform(String),
  message_template_name: z.string(),
  message_template_language: z.string(),
};

type TemplateEvent = Extract<ChannelEvent, { type: "template" }>;
type Named = z.infer<z.ZodObject<typeof template>>;

/** A change of a template; what it leaves null stays. */
function eventOf(named: Named, at: number, change: Partial<TemplateEvent>): ChannelEvent[] {
  const providerId = idOf(named.message_template_id);
  if (providerId === null) return [];
  const [name, language] = [storable(named.message_template_name), storable(named.message_template_language)];
  return [{ type: "template", providerId, name, language, status: null, reason: null, ...change, at }];
}

const statusUpdate = z.object({
  ...template,
  event: z.string(),
  reason: lenientText,
  message_template_category: lenientText,
  rejection_info: z.object({ reason: lenientText, recommendation: lenientText }).nullish().catch(null),
  other_info: z.object({ title: lenientText, description: lenientText }).nullish().catch(null),
});

/** The code of the reason with what explains it. */
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

/** Of `message_template_status_update`. */
export const templateStatusEvents = (value: unknown, at: number): ChannelEvent[] =>
  each(statusUpdate, (update) => {
    const status = readTemplateStatus(update.event);
    const category = wordOf(update.message_template_category);
    return status === null
      ? []
      : eventOf(update, at, { status, reason: reasonIn(update), ...(category && { category }) });
  })(value);

const qualityUpdate = z.object({ ...template, new_quality_score: z.string() });

/** Of `message_template_quality_update`. */
export const templateQualityEvents = (value: unknown, at: number): ChannelEvent[] =>
  each(qualityUpdate, (update) => {
    const quality = ratingOf(update.new_quality_score);
    return quality === null ? [] : eventOf(update, at, { quality });
  })(value);

/** Without a new category it announces one that is to come. */
const categoryUpdate = z.object({ ...template, new_category: z.string(), correct_category: lenientText });

/** Of `template_category_update`. */
export const templateCategoryEvents = (value: unknown, at: number): ChannelEvent[] =>
  each(categoryUpdate, (update) => {
    const category = wordOf(update.new_category);
    const isToCome = update.correct_category !== null && update.correct_category !== undefined;
    return category === null || isToCome ? [] : eventOf(update, at, { category });
  })(value);
