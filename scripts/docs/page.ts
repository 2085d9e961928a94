import { html } from "hono/html";
import type { Child } from "hono/jsx";

export interface Heading {
  id: string;
  text: string;
  depth: number;
}

export interface SearchEntry {
  /** The anchor of a section. Empty for the page itself. */
  anchor: string;
  heading: string;
  text: string;
}

export interface Page {
  /** Below `/docs`, for example `/errors`; empty for the first page. */
  path: string;
  title: string;
  description: string;
  section: string;
  content: Child;
  /** The page as Markdown, without the title. */
  markdown: string;
  /**
   * The entries of "On this page". Pages of the reference have no entries, because the navigation lists their
   * operations.
   */
  headings: Heading[];
  /** Operations below the page's entry in the navigation. They are visible while the page is open. */
  operations?: { anchor: string; method: string | null; title: string }[];
  search: SearchEntry[];
}

/** The HTML of a component. Throws for asynchronous components, which the site does not have. */
export function htmlOf(element: Child): string {
  const text = html`${element}`;
  if (text instanceof Promise) throw new TypeError("A component of the site is asynchronous.");
  return text.toString();
}

/** `/docs/errors` → `/docs/errors.md` */
export const markdownPath = (path: string): string => `${path === "/docs" ? "/docs/index" : path}.md`;

export const hrefOf = (path: string): string => `/docs${path}`;

export const slugOf = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, "")
    .trim()
    .replaceAll(" ", "-");
