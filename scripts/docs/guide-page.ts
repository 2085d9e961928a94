import { raw } from "hono/html";
import type { Guide } from "./guides.ts";
import { linkPages, type Places, renderMarkdown } from "./markdown.tsx";
import type { Page } from "./page.ts";

export function guidePage({ file, path, title, description, section, body }: Guide, places: Places): Page {
  const { html, headings, search } = renderMarkdown(body, file, places);
  return {
    path,
    title,
    description,
    section,
    content: raw(html),
    markdown: linkPages(body, file, places),
    headings,
    search,
  };
}
