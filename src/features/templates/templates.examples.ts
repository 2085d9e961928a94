// The example files in components that are submitted. Pure.
import type { SentComponent } from "./template-components.schemas.ts";
import type { HeaderKind } from "./templates.parts.ts";

/** A file of the workspace that shows what a header will hold. */
export interface ExampleFile {
  /** Of the component's `example`. */
  path: string;
  mediaId: string;
  kind: Exclude<HeaderKind, "location">;
}

const kinds = { IMAGE: "image", VIDEO: "video", DOCUMENT: "document" } as const;

export const exampleFiles = (components: readonly SentComponent[], path = "components"): ExampleFile[] =>
  components.flatMap((component, index): ExampleFile[] => {
    const at = `${path}.${index}`;
    if (component.type === "CAROUSEL")
      return component.cards.flatMap((card, place) => exampleFiles(card.components, `${at}.cards.${place}.components`));
    if (component.type !== "HEADER" || component.format === "TEXT" || component.format === "LOCATION") return [];
    const { media_id: mediaId } = component.example;
    return mediaId === undefined ? [] : [{ path: `${at}.example.media_id`, mediaId, kind: kinds[component.format] }];
  });

/** Components as the provider takes them: with the handles of files in place of the files. */
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
