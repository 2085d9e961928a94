// What a campaign sends besides text, and what the provider bills for it.
import type { FC } from "hono/jsx";
import type { CampaignRecord } from "../../../features/campaigns/campaigns.schemas.ts";
import type { TemplateValues } from "../../../features/templates/templates.filling.ts";
import type { TemplateRecord } from "../../../features/templates/templates.schemas.ts";
import { Facts } from "../../kit/feedback.tsx";
import { formatCount, formatNumber, toLabel } from "../../kit/format.ts";
import type { ShownFiles } from "../messages/message-files.tsx";
import { TemplateBubble } from "../messages/template-bubble.tsx";
import { buttonText, readTemplateParts, type ShownButton } from "../messages/template-parts.ts";
import { valueFields } from "../messages/template-values.ts";

interface SentProps {
  template: TemplateRecord;
  values: TemplateValues;
  files: ShownFiles;
}

/** The message as it was ordered: with its header and cards, and the texts for its variables. */
export const SentBubble: FC<SentProps> = ({ template, values, files }) => (
  <TemplateBubble
    template={template}
    values={new Map(valueFields(values).map(([name, text]) => [name, [text]]))}
    files={{ chosen: files }}
  />
);

const factsOf = (at: string, shown: readonly ShownButton[], sent: TemplateValues["buttons"] = []) =>
  sent.map(({ index, value }): [string, string] => {
    const button = shown[index];
    return [`${at}${button === undefined ? `Button ${index + 1}` : `Button “${buttonText(button)}”`}`, value];
  });

/** Each button that a value was given for, with the value. */
export function describeButtons({ components }: TemplateRecord, { buttons, cards = [] }: TemplateValues) {
  const shown = readTemplateParts(components);
  return [
    ...factsOf("", shown.buttons, buttons),
    ...cards.flatMap((card, place) => factsOf(`Card ${place + 1}: `, shown.cards[place]?.buttons ?? [], card.buttons)),
  ];
}

export const CampaignCost: FC<{ cost: CampaignRecord["cost"] }> = ({ cost }) => {
  const categories = Object.entries(cost);
  return categories.length === 0 ? (
    <p class="help">Nothing has been reported yet.</p>
  ) : (
    <Facts
      facts={categories.map(([category, { billable, free }]) => [
        toLabel(category.toLowerCase()),
        `${formatCount(billable, "billed message")}, ${formatNumber(free)} free`,
      ])}
    />
  );
};
