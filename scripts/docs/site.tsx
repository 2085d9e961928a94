// Creates all files of the site from the OpenAPI document and the Markdown files.
import MiniSearch from "minisearch";
import { searchOptions } from "./find.ts";
import { type Guide, guidesOf } from "./guides.ts";
import { homePage } from "./home.tsx";
import { type Assets, Document } from "./layout.tsx";
import { type ApiDocument, documentShape } from "./openapi/document.ts";
import { resourcesOf } from "./openapi/operations.ts";
import { SchemaReader } from "./openapi/schema-reader.ts";
import { hrefOf, htmlOf, markdownPath, type Page } from "./page.ts";
import { eventTypesPage, overviewPage, resourcePage } from "./reference/pages.tsx";
import { raw } from "hono/html";
import { linkPages, type PageLinks, renderMarkdown } from "./markdown.tsx";
import { ORIGIN, PLACEHOLDER_NOTE } from "./origin.ts";

const markdownOf = ({ title, description, markdown }: Page): string =>
  [
    `# ${title}`,
    description === "" ? "" : `> ${description}`,
    markdown.includes(ORIGIN) ? PLACEHOLDER_NOTE : "",
    markdown.trim(),
  ]
    .filter(Boolean)
    .join("\n\n") + "\n";

const linkOf = ({ path, title, description }: Page) =>
  `- [${title}](${markdownPath(hrefOf(path))})${description === "" ? "" : `: ${description}`}`;

/** A list of all pages in the format of llmstxt.org. */
function listOfPages([home, ...pages]: Page[]): string {
  const sections = [...Map.groupBy(pages, ({ section }) => section)];
  return [
    "# Tidings",
    `> ${home?.description ?? ""}`,
    "Each page is Markdown. [The OpenAPI document](/openapi.json) contains every operation. [llms-full.txt](/llms-full.txt) contains all pages.",
    PLACEHOLDER_NOTE,
    ...sections.map(([section, members]) => `## ${section}\n\n${members.map(linkOf).join("\n")}`),
  ]
    .join("\n\n")
    .concat("\n");
}

const fullText = ([, ...pages]: Page[]): string =>
  `${PLACEHOLDER_NOTE}\n\n---\n\n${pages.map(markdownOf).join("\n---\n\n")}`;

function guidePage({ file, path, title, description, section, body }: Guide, links: PageLinks): Page {
  const { html, headings, search } = renderMarkdown(body, file, links);
  return {
    path,
    title,
    description,
    section,
    content: raw(html),
    markdown: linkPages(body, file, links),
    headings,
    search,
  };
}

export interface Sources {
  openapi: unknown;
  markdown: ReadonlyMap<string, string>;
  assets: Assets;
}

function referencePages(document: ApiDocument): Page[] {
  const reader = new SchemaReader(document.components.schemas);
  const resources = resourcesOf(document);
  const pages = resources.map((resource) => ({ resource, page: resourcePage(resource, reader) }));
  const events = eventTypesPage(document, reader);
  const part = (isManagement: boolean) =>
    pages.filter(({ resource }) => resource.isManagement === isManagement).map(({ page }) => page);
  return [overviewPage(document, resources), ...part(false), events, ...part(true)];
}

function indexOf(pages: Page[]): string {
  const index = new MiniSearch(searchOptions);
  index.addAll(
    pages.flatMap(({ path, title, section, search }) =>
      search.map(({ anchor, heading, text }) => ({
        id: anchor === "" ? hrefOf(path) : `${hrefOf(path)}#${anchor}`,
        title,
        section,
        heading,
        text,
      })),
    ),
  );
  return JSON.stringify(index);
}

const missing: Page = {
  path: "/404",
  title: "Page not found",
  description: "The page might have moved. Use the search, or start at the overview.",
  section: "",
  content: (
    <p>
      <a href="/docs">All pages</a>
    </p>
  ),
  markdown: "",
  headings: [],
  search: [],
};

const fileOf = ({ path }: Page) => `docs${path || "/index"}`;

export function makeSite({ openapi, markdown, assets }: Sources): Map<string, string> {
  const guides = guidesOf(markdown);
  const links = new Map([
    ...guides.map(({ file, path }: Guide): [string, string] => [file, hrefOf(path)]),
    ["README.md", "/docs"],
  ]);
  const document = documentShape.parse(openapi);
  const isLast = ({ section }: Guide) => section === "Operate";
  const others = [
    ...guides.filter((guide) => !isLast(guide)).map((guide) => guidePage(guide, links)),
    ...referencePages(document),
    ...guides.filter(isLast).map((guide) => guidePage(guide, links)),
  ];
  const pages = [homePage(others), ...others];
  const site = { pages, assets };
  const html = (page: Page) => `<!doctype html>${htmlOf(<Document site={site} current={page} />)}`;
  const list = listOfPages(pages);
  return new Map([
    ...pages.flatMap((page): [string, string][] => [
      [`${fileOf(page)}.html`, html(page)],
      [`${fileOf(page)}.md`, markdownOf(page)],
    ]),
    ["docs/404.html", html(missing)],
    ["docs/search.json", indexOf(pages)],
    ["llms.txt", list],
    ["docs/llms.txt", list],
    ["llms-full.txt", fullText(pages)],
    ["docs/llms-full.txt", fullText(pages)],
  ]);
}
