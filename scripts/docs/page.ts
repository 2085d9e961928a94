import { html } from "hono/html";
import type { Child } from "hono/jsx";

export interface Heading {
  id: string;
  text: string;
  depth: number;
}

/** A part of a page that a search may lead to. */
export interface SearchEntry {
  /** Empty for the page itself. */
  anchor: string;
  heading: string;
  text: string;
}

export interface Page {
  /** Below `/docs`: `/errors`; empty for the first page. */
  path: string;
  title: string;
  description: string;
  /** The part of the navigation that it stands in. */
  section: string;
  content: Child;
  /** The same for software, without the title. */
  markdown: string;
  /** What "On this page" lists; pages of the reference have none, as the navigation lists their operations. */
  headings: Heading[];
  /** Shown below the page's own entry of the navigation while it is open. */
  operations?: { anchor: string; method: string | null; title: string }[];
  search: SearchEntry[];
}

/** The HTML of an element; none of ours waits for anything. */
export function htmlOf(element: Child): string {
  const text = html`${element}`;
  if (text instanceof Promise) throw new TypeError("An element of the site waits for something.");
  return text.toString();
}

/** Where a page is as Markdown: `/docs/errors` → `/docs/errors.md` */
export const markdownPath = (path: string): string => `${path === "/docs" ? "/docs/index" : path}.md`;

/** Paths of links within the site. */
export const hrefOf = (path: string): string => `/docs${path}`;

/** `Custom fields` → `custom-fields` */
export const slugOf = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, "")
    .trim()
    .replaceAll(" ", "-");
