import * as z from "zod";
import { documentedChoices, oneOf, requireOneOf } from "../../../http/request/choices.ts";
import { boundedText, verbatim, webUrl } from "../../../http/fields.ts";
import { MAX_MESSAGE_CHARACTERS } from "../../../shared/text/text.ts";

const longText = verbatim(MAX_MESSAGE_CHARACTERS);
const buttonText = verbatim(2000);

const fileAddress = webUrl("https://example.com/menu.jpg").meta({
  format: "uri",
  description: "Public URL of the file.",
});

const MAX_CARDS = 10;
const MAX_BUTTONS = 10;

export const variableValues = z.union(
  [z.array(longText).max(100), z.record(z.string(), longText)],
  "Must be a list with a string for each position {{1}}, {{2}} …, or an object with a string for each name.",
);

const headerValues = ["media_id", "url", "text", "location"] as const;

const sentHeader = z
  .strictObject({
    media_id: boundedText(100).optional().meta({ description: "Id of a stored file." }),
    url: fileAddress.optional(),
    filename: boundedText(240).optional().meta({ description: "File name that phones show." }),
    text: longText.optional().meta({ description: "Value of a text header's variable." }),
    location: z
      .strictObject({
        latitude: z.number().min(-90).max(90),
        longitude: z.number().min(-180).max(180),
        name: longText.optional(),
        address: longText.optional(),
      })
      .optional(),
  })
  .superRefine(requireOneOf(headerValues))
  .superRefine(({ filename, media_id, url }, issues) => {
    if (filename === undefined || (media_id ?? url) !== undefined) return;
    const message = "This field requires media_id or url.";
    issues.addIssue({ code: "custom", path: ["filename"], message, params: { code: "invalid_value" } });
  })
  .meta({
    id: "TemplateHeaderValue",
    description: "The header's file, text or location.",
    ...documentedChoices(oneOf(headerValues)),
  });

export type SentHeader = z.infer<typeof sentHeader>;

const sentButtons = z
  .array(
    z.strictObject({
      index: z
        .int()
        .min(0)
        .max(MAX_BUTTONS - 1)
        .meta({ description: "Position among all buttons, from 0." }),
      value: buttonText.meta({
        description:
          "By type: the end of the link's URL, the code to copy, the payload of a quick reply or the token of a flow.",
      }),
    }),
  )
  .max(MAX_BUTTONS);

const sentCard = z.strictObject({
  header: sentHeader.optional(),
  variables: variableValues.optional(),
  buttons: sentButtons.optional(),
});

export const sentParts = {
  header: sentHeader.optional(),
  buttons: sentButtons.optional().meta({
    description:
      "Values of buttons. Buttons in the template's `variables`, such as `button_2` for index 1, can also get their value there.",
  }),
  cards: z.array(sentCard).max(MAX_CARDS).optional().meta({ description: "Cards of a carousel, in order." }),
};

const parts = z.object(sentParts);

export type SentParts = z.infer<typeof parts>;

type MapText = (text: string, path: string) => string;

function mapHeader(header: SentHeader, path: string, map: MapText): SentHeader {
  const { text, location } = header;
  const { name, address } = location ?? {};
  return {
    ...header,
    ...(text !== undefined && { text: map(text, `${path}.text`) }),
    ...(location !== undefined && {
      location: {
        ...location,
        ...(name !== undefined && { name: map(name, `${path}.location.name`) }),
        ...(address !== undefined && { address: map(address, `${path}.location.address`) }),
      },
    }),
  };
}

export function mapPartTexts(sent: SentParts, map: MapText, at = ""): SentParts {
  const { header, buttons, cards } = sent;
  const mapButtons = (list: NonNullable<SentParts["buttons"]>, path: string) =>
    list.map((each, index) => ({ ...each, value: map(each.value, `${path}.${index}.value`) }));
  return {
    ...(header !== undefined && { header: mapHeader(header, `${at}header`, map) }),
    ...(buttons !== undefined && { buttons: mapButtons(buttons, `${at}buttons`) }),
    ...(cards !== undefined && {
      cards: cards.map(({ variables, ...card }, index) => {
        const path = `${at}cards.${index}`;
        const ofVariable = (text: string, name: number | string) => map(text, `${path}.variables.${name}`);
        return {
          ...mapPartTexts(card, map, `${path}.`),
          ...(variables !== undefined && {
            variables: Array.isArray(variables)
              ? variables.map(ofVariable)
              : Object.fromEntries(Object.entries(variables).map(([name, text]) => [name, ofVariable(text, name)])),
          }),
        };
      }),
    }),
  };
}
