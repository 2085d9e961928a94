// Renders Markdown with anchors and highlighted code. Links between the files of docs/ become links between the
// pages of the site.
import { posix } from "node:path";
import MarkdownIt, { type Token } from "markdown-it";
import { CodeTabs, escapeHtml, type Sample } from "./code.tsx";
import { type Heading, htmlOf, markdownPath, type SearchEntry, slugOf } from "./page.ts";

export interface Rendered {
  html: string;
  headings: Heading[];
  search: SearchEntry[];
}

/** Maps the path of each Markdown file to the path of its page. */
export type PageLinks = ReadonlyMap<string, string>;

const plainText = (token: Token | undefined): string =>
  (token?.children ?? []).map(({ type, content }) => (type === "softbreak" ? " " : content)).join("");

/**
 * Turns a link to a file into a link to the file's page, or into null if the file has no page. Returns all other
 * links unchanged, such as web addresses and links to a section.
 */
function siteLink(href: string, file: string, links: PageLinks): string | null {
  if (/^(?:[a-z]+:|#|\/)/.test(href)) return href;
  const [path = "", anchor] = href.split("#");
  const page = links.get(posix.join(posix.dirname(file), path));
  if (page === undefined) return null;
  return anchor === undefined ? page : `${page}#${anchor}`;
}

/** Makes the links in a Markdown file lead to the `.md` versions of the pages. Links in code blocks stay unchanged. */
export const linkPages = (source: string, file: string, links: PageLinks): string =>
  source.replaceAll(/^ *```.*?^ *```$|\[(?<words>[^\]]*)\]\((?<href>[^)\s]+)\)/gms, (all, words, href) => {
    if (typeof href !== "string") return all;
    const link = siteLink(href, file, links);
    return link === null ? words : `[${words}](${link.replace(/^(?<path>\/docs[^#]*)/, markdownPath)})`;
  });

/** If code blocks in these languages follow each other, they become tabs. */
const SAMPLES = new Set(["sh", "ts", "js", "python", "php"]);

function samplesFrom(tokens: Token[], index: number): Sample[] {
  const samples: Sample[] = [];
  for (const { type, info, content } of tokens.slice(index)) {
    const sample = { language: info.trim(), code: content };
    const isAlone = !SAMPLES.has(sample.language);
    const isTaken = samples.some(({ language }) => language === sample.language);
    if (type !== "fence" || (samples.length > 0 && (isAlone || isTaken))) break;
    samples.push(sample);
    if (isAlone) break;
  }
  return samples;
}

/** Renders Markdown. Links in it are relative to `file`. */
export function renderMarkdown(source: string, file: string, links: PageLinks): Rendered {
  const headings: Heading[] = [];
  const search: SearchEntry[] = [{ anchor: "", heading: "", text: "" }];
  const markdown = new MarkdownIt({ html: false, linkify: false });
  const tokens = markdown.parse(source, {});
  for (const [index, token] of tokens.entries()) {
    const next = tokens[index + 1];
    if (token.type === "heading_open") {
      const text = plainText(next);
      const slug = slugOf(text);
      const before = headings.filter((heading) => slugOf(heading.text) === slug).length;
      const id = before === 0 ? slug : `${slug}-${before}`;
      token.attrSet("id", id);
      headings.push({ id, text, depth: Number(token.tag.slice(1)) });
      search.push({ anchor: id, heading: text, text: "" });
    } else if (token.type === "inline" && tokens[index - 1]?.type !== "heading_open") {
      const last = search.at(-1);
      if (last !== undefined) last.text += `${plainText(token)} `;
    }
    for (const child of token.children ?? []) {
      if (child.type !== "link_open") continue;
      const link = siteLink(String(child.attrGet("href") ?? ""), file, links);
      child.attrs = link === null ? null : [["href", link]];
    }
  }
  const { rules } = markdown.renderer;
  let renderedUntil = 0;
  rules["fence"] = (all, index) => {
    if (index < renderedUntil) return "";
    const samples = samplesFrom(all, index);
    renderedUntil = index + samples.length;
    const follows = all[index - 1]?.type === "fence";
    const titled = samples.map((sample) =>
      follows && !SAMPLES.has(sample.language) ? { ...sample, title: "Answer" } : sample,
    );
    return htmlOf(<CodeTabs samples={titled} id={`code-${index}`} />);
  };
  rules["table_open"] = () => '<div class="table" tabindex="0" role="group" aria-label="Table"><table>';
  rules["table_close"] = () => "</table></div>";
  rules["heading_close"] = (all, index) => {
    const id = String(all[index - 2]?.attrGet("id") ?? "");
    const label = escapeHtml(`Link to this section: ${plainText(all[index - 1])}`);
    return `<a class="anchor" href="#${id}" aria-label="${label}">#</a></${all[index]?.tag}>`;
  };
  return { html: markdown.renderer.render(tokens, markdown.options, {}), headings, search };
}

const prose = new MarkdownIt({ html: false });

export const renderProse = (text: string): string => prose.render(text);

/** Renders a phrase as HTML, without a paragraph around it. */
export const renderPhrase = (text: string): string => prose.renderInline(text);
