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
  /** The path below `/docs`, such as `/errors`. Empty for the first page. */
  path: string;
  title: string;
  description: string;
  section: string;
  content: Child;
  /** The page as Markdown, without its title. */
  markdown: string;
  /** The entries of "On this page". Empty on reference pages, because the navigation lists their operations. */
  headings: Heading[];
  /** Operations below the page's link in the navigation. They are visible only on this page. */
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
