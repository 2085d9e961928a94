// The values of a template's header, buttons and cards, as callers send them and campaigns store them.
import * as z from "zod";
import { documentedChoices, oneOf, requireOneOf } from "../../../http/request/choices.ts";
import { boundedText, verbatim, webUrl } from "../../../http/fields.ts";
import { MAX_MESSAGE_CHARACTERS } from "../../../shared/text/text.ts";

const longText = verbatim(MAX_MESSAGE_CHARACTERS);
const buttonText = verbatim(2000);

const fileAddress = webUrl("https://example.com/menu.jpg").meta({
  format: "uri",
  description: "A public address that the file is fetched from before it is sent.",
});

/** Meta's maxima. */
const MAX_CARDS = 10;
const MAX_BUTTONS = 10;

export const variableValues = z.union(
  [z.array(longText).max(100), z.record(z.string(), longText)],
  "A list of texts for {{1}}, {{2}} …, or an object of name → text.",
);

const headerValues = ["media_id", "url", "text", "location"] as const;

const sentHeader = z
  .strictObject({
    media_id: boundedText(100).optional().meta({ description: "A file of the workspace." }),
    url: fileAddress.optional(),
    filename: boundedText(240).optional().meta({ description: "The name that a document shows." }),
    text: longText.optional().meta({ description: "The value of a text header's variable." }),
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
    const message = "Must be sent with media_id or url only.";
    issues.addIssue({ code: "custom", path: ["filename"], message, params: { code: "invalid_value" } });
  })
  .meta({
    id: "TemplateHeaderValue",
    description: "The value of the template's header: a file, a text or a location.",
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
        .meta({ description: "Counted from 0, over all of the buttons." }),
      value: buttonText.meta({
        description:
          "What follows a link's address, the code to copy, the payload of a quick reply, or the token of a form.",
      }),
    }),
  )
  .max(MAX_BUTTONS);

const sentCard = z.strictObject({
  header: sentHeader.optional(),
  variables: variableValues.optional(),
  buttons: sentButtons.optional(),
});

/** The values of a template besides `variables`. */
export const sentParts = {
  header: sentHeader.optional(),
  buttons: sentButtons.optional().meta({
    description:
      "Values of buttons. Where `variables` of the template lists one (named `button_2`, say, for the index 1), it may be given there instead.",
  }),
  cards: z.array(sentCard).max(MAX_CARDS).optional().meta({ description: "Of a carousel, in order." }),
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

/** Maps the texts of values. Filenames and URLs stay unchanged. */
export function mapPartTexts(sent: SentParts, map: MapText, at = ""): SentParts {
  const { header, buttons, cards } = sent;
  const mapButtons = (list: NonNullable<SentParts["buttons"]>, path: string) =>
    list.map((each, place) => ({ ...each, value: map(each.value, `${path}.${place}.value`) }));
  return {
    ...(header !== undefined && { header: mapHeader(header, `${at}header`, map) }),
    ...(buttons !== undefined && { buttons: mapButtons(buttons, `${at}buttons`) }),
    ...(cards !== undefined && {
      cards: cards.map(({ variables, ...card }, place) => {
        const path = `${at}cards.${place}`;
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
