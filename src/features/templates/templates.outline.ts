// Components without what changes between submitting them and finding them at the provider. Pure.
import * as z from "zod";

const button = z.object({
  type: z.string(),
  text: z.string().optional(),
  url: z.string().optional(),
  phone_number: z.string().optional(),
});

const part = z.object({
  type: z.string(),
  format: z.string().optional(),
  text: z.string().optional(),
  buttons: z.array(button).optional(),
});

const component = part.extend({ cards: z.array(z.object({ components: z.array(part) })).optional() });

/** One-time passwords get their texts from the provider. */
const ONE_TIME = "OTP";

function outlineOf(components: readonly unknown[]): string {
  const parts = z.array(component).safeParse(components).data ?? [];
  const isOneTime = parts.some(({ buttons = [] }) => buttons.some(({ type }) => type === ONE_TIME));
  const outlined = isOneTime ? parts.map(({ type }) => ({ type })) : parts;
  return JSON.stringify(outlined.toSorted((a, b) => a.type.localeCompare(b.type)));
}

/** True where both are the same template, as far as the provider keeps what it was sent. */
export const isSameTemplate = (a: readonly unknown[], b: readonly unknown[]): boolean => outlineOf(a) === outlineOf(b);

const fileHeader = z.looseObject({
  type: z.literal("HEADER"),
  example: z.looseObject({ header_handle: z.array(z.string()) }),
});
const carousel = z.looseObject({
  type: z.literal("CAROUSEL"),
  cards: z.array(z.looseObject({ components: z.array(z.record(z.string(), z.unknown())) })),
});

type Components = Record<string, unknown>[];

function withoutExamples(
  components: readonly Record<string, unknown>[],
  lapses: (handle: string) => boolean,
): Components {
  return components.map((each) => {
    const cards = carousel.safeParse(each).data?.cards;
    if (cards !== undefined)
      return {
        ...each,
        cards: cards.map((card) => ({ ...card, components: withoutExamples(card.components, lapses) })),
      };
    const handles = fileHeader.safeParse(each).data?.example.header_handle ?? [];
    if (!handles.some(lapses)) return each;
    const { example: _, ...rest } = each;
    return rest;
  });
}

/** Components without the files that examples of headers stand for: they can be used once. */
export const withoutHandles = (components: readonly Record<string, unknown>[]): Components =>
  withoutExamples(components, () => true);

/** Components without links to examples: they lapse, and a provider gives others each time. */
export const withoutLinks = (components: readonly Record<string, unknown>[]): Components =>
  withoutExamples(components, (handle) => /^https?:/i.test(handle));
