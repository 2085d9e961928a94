import { globSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { buildSite, SOURCES } from "../../scripts/docs/build.ts";
import { documentShape } from "../../scripts/docs/openapi/document.ts";

const site = await buildSite(new Map(globSync(SOURCES).map((path) => [path, readFileSync(path)])));
const { paths, webhooks, components } = documentShape.parse(JSON.parse(readFileSync("sdk/openapi.json", "utf8")));

const fileOf = (path: string): string => site.get(path) ?? "";
const pages = [...site].filter(([path]) => path.endsWith(".html"));

const unescape = (html: string) =>
  html.replaceAll("&quot;", '"').replaceAll("&#39;", "'").replaceAll("&lt;", "<").replaceAll("&amp;", "&");
const textOf = (html: string) => unescape(html.replaceAll(/<[^>]*>/g, ""));

function articleOf(id: string): string {
  const found = pages.flatMap(([, html]) => html.split("<article ").filter((part) => part.includes(`id="${id}"`)));
  expect(found, id).toHaveLength(1);
  return found[0]?.split("</article>")[0] ?? "";
}

const operations = Object.entries(paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
);

describe("Reference", () => {
  it("The reference shows every operation with method, path, parameters, errors and samples", () => {
    expect(operations.length).toBeGreaterThan(90);
    for (const { path, method, operation } of operations) {
      const article = articleOf(operation.operationId);
      const text = textOf(article);
      expect(article).toContain(`class="method ${method}"`);
      const call = `tidings.${operation.operationId}(`;
      for (const shown of [path, operation.summary, "unauthorized", "curl ", "Bearer ", call])
        expect(text).toContain(shown);
      for (const { name } of operation.parameters.filter((parameter) => parameter.$ref === undefined))
        expect(article).toContain(`<code class="name">${name}</code>`);
    }
  });

  it("The reference shows nested fields of a message, their limits and shapes", () => {
    const text = textOf(articleOf("messages.send"));
    for (const shown of ["interactive", "buttons", "reply_to", "1–4,096 characters", "Idempotency-Key"])
      expect(text).toContain(shown);
  });

  it("The reference shows every event type with an example", () => {
    const types = Object.keys(webhooks).filter((name) => name !== "batch");
    expect(types.length).toBeGreaterThan(50);
    for (const name of types) expect(textOf(articleOf(name))).toContain(`"type": "${name}"`);
  });

  it("The reference shows the document's examples of bodies and responses", () => {
    for (const { operation } of operations) {
      const text = textOf(articleOf(operation.operationId));
      const answers = Object.entries(operation.responses).filter(([status]) => Number(status) < 400);
      for (const { example } of answers.flatMap(([, { content }]) => content["application/json"] ?? [])) {
        expect(example, operation.operationId).toBeTypeOf("object");
        expect(text).toContain(JSON.stringify(example, null, 2));
      }
      const body = operation.requestBody?.content["application/json"];
      const sent = body === undefined ? undefined : (body.example ?? Object.values(body.examples ?? {})[0]?.value);
      if (body !== undefined) expect(sent, operation.operationId).toBeTypeOf("object");
      const shown = JSON.stringify(sent, null, 2)?.replaceAll("'", "'\\''");
      const withVariables = shown?.replaceAll(
        /(?<="([a-z]+)_id": ")\w{25,}/g,
        (_, name) => `'$${name.toUpperCase()}_ID'`,
      );
      if (withVariables !== undefined) expect(text).toContain(withVariables);
    }
    for (const [name, { post }] of Object.entries(webhooks)) {
      const component = post?.requestBody?.content["application/json"]?.schema?.$ref?.split("/").at(-1) ?? "";
      const [example] = components.schemas[component]?.examples ?? [];
      expect(example, name).toBeTypeOf("object");
      expect(textOf(articleOf(name))).toContain(JSON.stringify(example, null, 2));
    }
    const blocks = pages.flatMap(([path, html]) =>
      path.startsWith("docs/reference/") ? (html.match(/<pre .*?<\/pre>/gs) ?? []) : [],
    );
    expect(blocks.filter((html) => textOf(html).includes("…"))).toEqual([]);
  });

  it("Samples in the reference use variables for ids in paths, and contain the required filters of a list", () => {
    const one = textOf(articleOf("contacts.get"));
    expect(one).toContain('/api/v1/contacts/$CONTACT_ID"');
    expect(one).toContain("tidings.contacts.get(contactId)");
    expect(textOf(articleOf("messages.list"))).toContain('/api/v1/messages?delivery=failed"');
  });

  it("Samples in the reference use variables for ids in bodies, and the reference explains the variables", () => {
    const start = textOf(articleOf("campaigns.start"));
    expect(start).toContain(`"template_id": "'$TEMPLATE_ID'"`);
    expect(start).toContain("template_id: templateId,");
    expect(textOf(fileOf("docs/reference.html"))).toContain("$TEMPLATE_ID are ids from other responses");
  });

  it("The events page of the reference links to the event types instead of repeating their fields", () => {
    const html = fileOf("docs/reference/events.html");
    expect(html.length).toBeLessThan(120_000);
    expect(html).toContain('<a href="/docs/reference/event-types">Event types</a>.');
  });

  it("The Markdown of the reference describes each header parameter once", () => {
    const markdown = fileOf("docs/reference/messages.md");
    expect(markdown).toMatch(/^Headers:\n\n- `Idempotency-Key` \(string[^\n]*\): If you repeat a request/m);
    const [, lead = ""] = /^> (.+)$/m.exec(markdown) ?? [];
    expect(markdown.split(lead)).toHaveLength(2);
  });

  it("The reference never shows undefined, NaN or [object Object]", () => {
    for (const [path, html] of pages.filter(([name]) => name.startsWith("docs/reference")))
      expect(html, path).not.toMatch(/>undefined<|="undefined"|\[object Object\]|\bNaN\b/);
  });
});

/** The links and other resources of a page, except those of other hosts. */
const linksOf = (html: string): string[] =>
  [...html.matchAll(/ (?:href|src)="(?<target>[^"]*)"/g)].map(({ groups }) => unescape(groups?.["target"] ?? ""));

/** Paths that the Worker serves instead of the site. */
const ofTheWorker = ["/openapi.json", "/console", "/favicon.ico"];

function leadsSomewhere(link: string, from: string): boolean {
  if (link.startsWith("https://") || ofTheWorker.includes(link)) return true;
  const [path = "", anchor] = link.split("#");
  const name = path === "" ? from : path.slice(1);
  const html = [name, `${name}.html`, `${name}/index.html`].map(fileOf).find((text) => text !== "");
  return html !== undefined && (anchor === undefined || html.includes(`id="${decodeURIComponent(anchor)}"`));
}

describe("Documentation pages", () => {
  it.each(pages.map(([path]) => path))("Every link in %s of the documentation has a target", (path) => {
    expect(linksOf(fileOf(path)).filter((link) => !leadsSomewhere(link, path))).toEqual([]);
  });

  const markdownPages = [...site.keys()].filter((path) => path.endsWith(".md"));

  it.each(markdownPages)("Links in %s lead to Markdown or outside the site", (path) => {
    const text = fileOf(path).replaceAll(/^ *```.*?^ *```$/gms, "");
    const links = [...text.matchAll(/\]\((?<target>[^)\s]+)\)/g)].map(({ groups }) => groups?.["target"] ?? "");
    const html = (link: string) => link.replace(/\.md(?=#|$)/, "").replace(/^(?=#)/, `/${path.replace(/\.md$/, "")}`);
    const isRight = (link: string) => link.startsWith("https://") || ofTheWorker.includes(link) || isPage(link);
    const isPage = (link: string) => /^#|^\/docs\/[\w/-]+\.md(?:#|$)/.test(link) && leadsSomewhere(html(link), path);
    expect(links.filter((link) => !isRight(link))).toEqual([]);
  });

  it("Every documentation page has a description of one sentence", () => {
    for (const [path, html] of pages) {
      const lead = /<p class="lead">(?<text>[^<]*)<\/p>/.exec(html)?.groups?.["text"] ?? "";
      expect(lead, path).toMatch(/^[A-Z].{10,}\.$/);
      expect(lead, path).not.toContain("The format is that of");
      expect(textOf(html.split("<main ")[1] ?? "").split(unescape(lead)), path).toHaveLength(2);
    }
  });

  it("Documentation pages load only files of the site", () => {
    const policy = /Content-Security-Policy: (?<policy>.*)/.exec(fileOf("_headers"))?.groups?.["policy"];
    expect(policy).toMatch(/^default-src 'none'; /);
    expect(policy).not.toMatch(/unsafe|\*|https?:/);
    for (const [path, html] of pages) {
      expect(html, path).not.toMatch(/<script>|<style|\sstyle=|\son\w+=|<img|<iframe/);
      expect(html.match(/<(?:script|link) [^>]*(?:src|href)="(?:https?:)?\/\/[^"]*"/g) ?? [], path).toEqual([]);
    }
  });

  it("Documentation pages send the Strict-Transport-Security header, as the Worker does", () => {
    expect(fileOf("_headers")).toContain("\n  Strict-Transport-Security: max-age=31536000\n");
  });

  it("Every documentation page also exists as Markdown, and the list of pages for software contains it", () => {
    const listed = [...fileOf("llms.txt").matchAll(/\]\(\/(?<file>[^)]+\.md)\)/g)].map(
      ({ groups }) => groups?.["file"],
    );
    const there = [...site.keys()].filter((path) => path.endsWith(".md"));
    expect(new Set(listed)).toEqual(new Set(there.filter((path) => path !== "docs/index.md")));
    for (const path of there) expect(fileOf(path)).toMatch(/^# .+\n\n/);
    expect(fileOf("docs/llms.txt")).toBe(fileOf("llms.txt"));
    expect(fileOf("llms-full.txt")).toContain("tidings.messages.send(");
  });

  it("Documentation pages use one placeholder for the deployment's address, which a script replaces", () => {
    for (const [path, html] of pages)
      expect(textOf(html).replaceAll(/https:\/\/tidings\.example\.com(?![\w.-])/g, ""), path).not.toContain(
        "tidings.example",
      );
  });

  it("Documentation pages explain the placeholder to readers without scripts", () => {
    const note = "Replace https://tidings.example.com with the address of your deployment.";
    for (const path of ["llms.txt", "llms-full.txt", "docs/reference/messages.md", "docs/mcp.md", "docs/sdk.html"])
      expect(fileOf(path), path).toContain(note);
  });

  it("Ids on a documentation page are unique", () => {
    for (const [path, html] of pages) {
      const ids = [...html.matchAll(/ id="(?<id>[^"]*)"/g)].map(({ groups }) => groups?.["id"]);
      expect(
        ids.filter((id, index) => ids.indexOf(id) !== index),
        path,
      ).toEqual([]);
    }
  });
});
