import * as z from "zod";
import type { HeaderKind } from "../../../channels/templates/components.ts";
import type { SentComponent } from "./template-components.schemas.ts";

export interface ExampleFile {
  path: string;
  mediaId: string;
  kind: Exclude<HeaderKind, "location">;
}

const kinds = { IMAGE: "image", VIDEO: "video", DOCUMENT: "document" } as const;

export const exampleFiles = (components: readonly SentComponent[], path = "components"): ExampleFile[] =>
  components.flatMap((component, index): ExampleFile[] => {
    const at = `${path}.${index}`;
    if (component.type === "CAROUSEL")
      return component.cards.flatMap((card, cardIndex) =>
        exampleFiles(card.components, `${at}.cards.${cardIndex}.components`),
      );
    if (component.type !== "HEADER" || component.format === "TEXT" || component.format === "LOCATION") return [];
    const { media_id: mediaId } = component.example;
    return mediaId === undefined ? [] : [{ path: `${at}.example.media_id`, mediaId, kind: kinds[component.format] }];
  });

export const withHandles = (
  components: readonly SentComponent[],
  handles: ReadonlyMap<string, string>,
): Record<string, unknown>[] =>
  components.map((component) => {
    if (component.type === "CAROUSEL") {
      const cards = component.cards.map((card) => ({ components: withHandles(card.components, handles) }));
      return { ...component, cards };
    }
    if (component.type !== "HEADER" || component.format === "TEXT" || component.format === "LOCATION") return component;
    const handle = handles.get(component.example.media_id ?? "");
    return handle === undefined ? component : { ...component, example: { header_handle: [handle] } };
  });

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

/** A file handle can be used only once, so the stored template must not contain it. */
export const withoutHandles = (components: readonly Record<string, unknown>[]): Components =>
  withoutExamples(components, () => true);

/**
 * The provider returns new links to the example files each time, because the links expire. Without this function, an
 * unchanged template would look changed.
 */
export const withoutLinks = (components: readonly Record<string, unknown>[]): Components =>
  withoutExamples(components, (handle) => /^https?:/i.test(handle));
