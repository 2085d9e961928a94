// The site for language models, in the format of llmstxt.org.
import { ORIGIN, PLACEHOLDER_NOTE } from "./origin.ts";
import { hrefOf, markdownPath, type Page } from "./page.ts";

export const markdownOf = ({ title, description, markdown }: Page): string =>
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

export function listOfPages([home, ...pages]: Page[]): string {
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

export const fullText = ([, ...pages]: Page[]): string =>
  `${PLACEHOLDER_NOTE}\n\n---\n\n${pages.map(markdownOf).join("\n---\n\n")}`;
