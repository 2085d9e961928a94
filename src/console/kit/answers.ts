import type { Child } from "hono/jsx";
import type { ContentfulStatusCode } from "hono/utils/http-status";
import type { EntryScript } from "./assets.ts";
import type { Flash } from "./flash.ts";

/** A page to show. The layout, with `title` as its heading, is put around `body`. */
export interface Page {
  type: "page";
  title: string;
  body: Child;
  /** What stands beside the heading: the page's main actions. */
  actions?: Child;
  status?: ContentfulStatusCode;
  scripts?: readonly EntryScript[];
}

export type Answer =
  | Page
  /** To another page, which says `flash`. */
  | { type: "redirect"; to: string; flash: Flash | null }
  /** To a script. */
  | { type: "data"; data: object }
  /** What is not a page: a file, a stream. */
  | { type: "response"; response: Response };

export const show = (page: Omit<Page, "type">): Page => ({ type: "page", ...page });

/** To a page (its whole path), which says that something is done; `links` follow the text. */
export const go = (to: string, done?: string, links: Flash["links"] = []): Answer => ({
  type: "redirect",
  to,
  flash: done === undefined ? null : { kind: "done", text: done, links },
});

export const refuse = (to: string, text: string): Answer => ({
  type: "redirect",
  to,
  flash: { kind: "error", text, links: [] },
});

export const data = (object: object): Answer => ({ type: "data", data: object });
export const respond = (response: Response): Answer => ({ type: "response", response });
