import type { Child } from "hono/jsx";
import type { ContentfulStatusCode } from "hono/utils/http-status";
import type { ScriptName } from "./assets.ts";
import type { Notice } from "./notice.ts";

/** A page. The layout is put around `body`, with `title` as its heading. */
export interface Page {
  type: "page";
  title: string;
  body: Child;
  /** Links above the heading, outermost first. Default: the list that the page is below. */
  trail?: readonly { text: string; href: string }[];
  /** The page's main actions, beside its heading. */
  actions?: Child;
  /** The pane that a phone shows, of a page that fills the window with panes. Each has a heading of its own. */
  pane?: "list" | "thread" | "person";
  status?: ContentfulStatusCode;
  scripts?: readonly ScriptName[];
}

export type HandlerResult =
  | Page
  /** Leads to another page, which shows `notice`. */
  | { type: "redirect"; to: string; notice: Notice | null }
  /** JSON, for a script. */
  | { type: "data"; data: object }
  /** A file or a stream. */
  | { type: "response"; response: Response };

export const showPage = (page: Omit<Page, "type">): Page => ({ type: "page", ...page });

/** Leads to a page by its whole path. The page says what was done; `links` follow the text. */
export const redirectTo = (to: string, done?: string, links: Notice["links"] = []): HandlerResult => ({
  type: "redirect",
  to,
  notice: done === undefined ? null : { kind: "done", text: done, links, undo: null },
});

/** The same, with a button that takes it back: it sends `fields` to `action`. */
export const redirectWithUndo = (
  to: string,
  done: string,
  action: string,
  fields: Record<string, string> = {},
): HandlerResult => ({
  type: "redirect",
  to,
  notice: { kind: "done", text: done, links: [], undo: { action, fields } },
});

/** As `redirectTo`, where it was not done. */
export const redirectWithError = (to: string, text: string, links: Notice["links"] = []): HandlerResult => ({
  type: "redirect",
  to,
  notice: { kind: "error", text, links, undo: null },
});

export const sendJson = (data: object): HandlerResult => ({ type: "data", data });
export const sendResponse = (response: Response): HandlerResult => ({ type: "response", response });
