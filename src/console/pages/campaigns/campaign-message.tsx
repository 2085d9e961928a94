import type { FC } from "hono/jsx";
import type { TemplateHeader } from "../../../channels/templates/channel-templates.ts";
import { readComponents, type TemplateButtonPart } from "../../../channels/templates/components.ts";
import type { CampaignRecord } from "../../../features/campaigns/campaigns.schemas.ts";
import type { SentHeader } from "../../../features/templates/model/sent-parts.schemas.ts";
import type { TemplateValues } from "../../../features/templates/model/read-values.ts";
import type { TemplateRecord } from "../../../features/templates/templates.schemas.ts";
import { Facts } from "../../kit/feedback.tsx";
import { formatCount, formatNumber, toLabel } from "../../kit/format.ts";
import type { FilesById } from "../messages/message-files.tsx";
import { PhoneBubble, buttonText } from "../messages/phone-bubble.tsx";
import { TemplateBubble } from "../messages/template/template-bubble.tsx";
import { valueFields } from "../messages/template/template-fields.tsx";

interface SentProps {
  template: TemplateRecord;
  values: TemplateValues;
  files: FilesById;
}

export const SentBubble: FC<SentProps> = ({ template, values, files }) => (
  <TemplateBubble
    template={template}
    values={new Map(valueFields(values).map(([name, text]) => [name, [text]]))}
    files={{ chosen: files }}
  />
);

/** Replaces `SentBubble` if the template was deleted: only the submitted headers. */
export const GivenHeaders: FC<Pick<SentProps, "values" | "files">> = ({ values: { header, cards = [] }, files }) => {
  const given = (sent: SentHeader | undefined): TemplateHeader | null => {
    if (sent?.location !== undefined) return { type: "location", ...sent.location };
    if (sent?.media_id === undefined) return null;
    const { mime_type: mimeType = null } = files.get(sent.media_id) ?? {};
    const type = /^(image|video)\//.exec(mimeType ?? "")?.[1];
    return { type: type === "image" || type === "video" ? type : "document", media_id: sent.media_id };
  };
  const headers = [header, ...cards.map((card) => card.header)].map(given);
  const [first = null, ...ofCards] = headers;
  if (headers.every((each) => each === null)) return null;
  return (
    <PhoneBubble
      header={null}
      given={first}
      buttons={[]}
      cards={ofCards.map((each) => ({ header: null, body: null, buttons: [], given: each }))}
      files={files}
    />
  );
};

const factsOf = (at: string, buttons: readonly TemplateButtonPart[], sent: TemplateValues["buttons"] = []) =>
  sent.map(({ index, value }): [string, string] => {
    const button = buttons[index];
    return [`${at}${button === undefined ? `Button ${index + 1}` : `Button “${buttonText(button)}”`}`, value];
  });

export function describeButtons(components: readonly unknown[], { buttons, cards = [] }: TemplateValues) {
  const parts = readComponents(components);
  return [
    ...factsOf("", parts.buttons, buttons),
    ...cards.flatMap((card, position) =>
      factsOf(`Card ${position + 1}: `, parts.cards[position]?.buttons ?? [], card.buttons),
    ),
  ];
}

export const CampaignCost: FC<{ cost: CampaignRecord["cost"] }> = ({ cost }) => {
  const categories = Object.entries(cost);
  return categories.length === 0 ? (
    <p class="help">Nothing reported yet.</p>
  ) : (
    <Facts
      facts={categories.map(([category, { billable, free }]) => [
        toLabel(category.toLowerCase()),
        `${formatCount(billable, "billed message")}, ${formatNumber(free)} free`,
      ])}
    />
  );
};
