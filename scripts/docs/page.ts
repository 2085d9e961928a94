import { html } from "hono/html";
import type { Child } from "hono/jsx";

export interface Heading {
  id: string;
  text: string;
  depth: number;
}

export interface SearchEntry {
  /** The anchor of a section, or empty for the start of the page. */
  anchor: string;
  heading: string;
  text: string;
}

export interface Page {
  /** The path below `/docs`, such as `/errors`. The first page has an empty path. */
  path: string;
  title: string;
  description: string;
  section: string;
  content: Child;
  /** The page as Markdown, without its title. */
  markdown: string;
  /**
   * The entries of "On this page". Reference pages have none, because the navigation already lists their
   * operations.
   */
  headings: Heading[];
  /** The operations of a reference page. The navigation shows them below the page's link, but only on this page. */
  operations?: { anchor: string; method: string | null; title: string }[];
  search: SearchEntry[];
}

/** Renders a component as HTML. Throws if the component is asynchronous. */
export function htmlOf(element: Child): string {
  const text = html`${element}`;
  if (text instanceof Promise) throw new TypeError("A component of the site is asynchronous.");
  return text.toString();
}

/** Turns `/docs/errors` into `/docs/errors.md`. */
export const markdownPath = (path: string): string => `${path === "/docs" ? "/docs/index" : path}.md`;

export const hrefOf = (path: string): string => `/docs${path}`;

export const slugOf = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, "")
    .trim()
    .replaceAll(" ", "-");
