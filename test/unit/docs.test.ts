import { existsSync, globSync, readFileSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { getTableColumns, getTableName, is } from "drizzle-orm";
import { SQLiteTable } from "drizzle-orm/sqlite-core";
import { describe, expect, it } from "vitest";
import * as z from "zod";
import { loadChannel } from "../../src/channels/registry.ts";
import * as schema from "../../src/db/schema/index.ts";

const PAGES = [
  "README.md",
  "CONTRIBUTING.md",
  "AGENTS.md",
  "CHANGELOG.md",
  "sdk/README.md",
  "examples/shop/README.md",
  ...globSync("docs/{,design/,guides/}*.md"),
];
const read = (page: string) => readFileSync(page, "utf8");
const withoutBlocks = (text: string) => text.replace(/^ *```.*?^ *```$/gms, "");

const MIME_TYPE = /^(?:image|video|audio)\/\w+$/;

/** Returns all code on a page that looks like the path of a file or folder. */
function pathsOn(page: string): string[] {
  const quoted = [...withoutBlocks(read(page)).matchAll(/`(?<text>[^`\s]+)`/g)].map(
    ({ groups }) => groups?.["text"] ?? "",
  );
  return quoted.filter(
    (text) => !MIME_TYPE.test(text) && /^(?:\.?[\w-]+\/)[\w./-]+$|^[\w-]+\.(?:ts|tsx|sql|md|toml|json)$/.test(text),
  );
}

/** `npm start` and `npm ci` create these paths, so they are not in the repository. */
const GENERATED = [".wrangler/state", ".wrangler/deploy/config.json", "demo.json", "dist/worker"];

/** A path can be relative to the root or to src/features. */
const isThere = (path: string) =>
  GENERATED.includes(path) || ["", "src/features/"].some((folder) => existsSync(folder + path));

/** The anchor that GitHub creates for a heading. */
const anchorOf = (heading: string) =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, "")
    .trim()
    .replaceAll(" ", "-");

const anchorsOn = (page: string) =>
  [...withoutBlocks(read(page)).matchAll(/^#+ (?<heading>.+)$/gm)].map(({ groups }) =>
    anchorOf(groups?.["heading"] ?? ""),
  );

function brokenLinks(page: string): string[] {
  const links = [...withoutBlocks(read(page)).matchAll(/\]\((?<target>[^)\s]+)\)/g)].map(
    ({ groups }) => groups?.["target"] ?? "",
  );
  return links.filter((link) => {
    if (/^(?:https:\/\/|\/docs\/)/.test(link)) return false; // docs-site.test.ts checks links of the site
    const [path = "", anchor] = link.split("#");
    const target = path === "" ? page : join(dirname(page), path);
    return !existsSync(target) || (anchor !== undefined && !anchorsOn(target).includes(anchor));
  });
}

describe.each(PAGES)("Page %s", (page) => {
  it(`The page ${page} names files and folders that exist`, () => {
    expect(pathsOn(page).filter((path) => !isThere(path))).toEqual([]);
  });

  it(`The page ${page} links to pages and headings that exist`, () => {
    expect(brokenLinks(page)).toEqual([]);
  });

  it(`The page ${page} has commands without comments, because zsh treats comments as arguments`, () => {
    const blocks = [...read(page).matchAll(/^ *```sh\n(?<text>.*?)^ *```$/gms)].map(
      ({ groups }) => groups?.["text"] ?? "",
    );
    const commands = blocks.flatMap((text) => text.split("\n"));
    expect(commands.filter((line) => /(?:^|\s)#(?:\s|$)/.test(line))).toEqual([]);
  });

  it(`The page ${page} quotes arguments that zsh would treat as file patterns`, () => {
    const commands = read(page).match(/^ *(?:npx|tidings) .*$/gm) ?? [];
    expect(commands.filter((line) => line.replace(/'[^']*'|"[^"]*"/g, "").includes("*"))).toEqual([]);
  });

  it(`The page ${page} runs the tidings command without npx, because npx would download another package`, () => {
    expect(read(page).match(/^.*\bnpx (?:-\S+ )*(?:@tidings|tidings\b).*$/gm)).toBeNull();
  });
});

describe("Client package", () => {
  it("The documentation and the example shop import the client package by its scoped name", () => {
    const { name } = z.object({ name: z.string() }).parse(JSON.parse(read("sdk/package.json")));
    expect(name).toBe("@tidings/client");
    const code = [...PAGES, ...globSync("examples/shop/{package.json,src/*.ts}"), "scripts/docs/home.tsx"]
      .map(read)
      .join("\n");
    expect(code).toContain(`from "${name}"`);
    expect(code).not.toMatch(/from "tidings"|"tidings": "\d|(?:-w|--workspace)[ =]tidings/);
  });
});

describe.each(globSync("docs/guides/*.md").filter((page) => !page.endsWith("/quickstart.md")))("Guide %s", (page) => {
  it(`The guide ${page} links to the quickstart if it uses the quickstart's variables`, () => {
    const usesThem = /^```sh\n[^`]*\$(?:API|AUTH|JSON)\b/m.test(read(page));
    expect(/uses? the variables of the\s\[quickstart\]\(quickstart\.md#set-up\)/.test(read(page))).toBe(usesThem);
  });
});

describe("README", () => {
  it("The README has at most 1,000 words", () => {
    expect(read("README.md").split(/\s+/).length).toBeLessThanOrEqual(1000);
  });

  it("The image in the README is smaller than 150 KB", () => {
    expect(statSync("docs/console.png").size).toBeLessThan(150_000);
  });
});

const toCamelCase = (name: string) => name.replace(/_\w/g, (part) => part.slice(1).toUpperCase());

describe.each(globSync("docs/design/*.md"))("Page %s", (page) => {
  it(`The page ${page} has at most 150 lines`, () => {
    expect(read(page).split("\n").length).toBeLessThanOrEqual(151);
  });
});

describe("Rule tables in docs/design", () => {
  const source = globSync("src/**/*.{ts,tsx}").map(read).join("\n");
  const exported = new Set(
    [...source.matchAll(/^export (?:async )?(?:const|function|class|interface|type) (?<name>\w+)/gm)].map(
      ({ groups }) => groups?.["name"],
    ),
  );

  it("The rule tables in docs/design name exports that exist", () => {
    const named = globSync("docs/design/*.md").flatMap((page) =>
      [...read(page).matchAll(/^\| [^`|]+ \| `(?<name>\w+)` +\|$/gm)].map(({ groups }) => groups?.["name"]),
    );
    expect(named.length).toBeGreaterThan(30);
    expect(named.filter((name) => !exported.has(name))).toEqual([]);
  });
});

describe("docs/design/terms.md", () => {
  const terms = [...read("docs/design/terms.md").matchAll(/^\| (?<term>[a-z -]+?) +\| [A-Z]/gm)].map(
    ({ groups }) => groups?.["term"] ?? "",
  );

  it("docs/design/terms.md defines 21 to 25 terms, in alphabetical order", () => {
    expect(terms.length).toBeGreaterThan(20);
    expect(terms.length).toBeLessThanOrEqual(25);
    expect(terms).toEqual(terms.toSorted());
  });

  it.each(terms)("docs/design/terms.md defines %s, which more than one other page uses", (term) => {
    const pages = globSync("docs/design/*.md").filter((page) => !page.endsWith("/terms.md"));
    const stem = term.replace(/y$/, "");
    expect(pages.filter((page) => read(page).toLowerCase().includes(stem)).length).toBeGreaterThan(1);
  });
});

describe("docs/design/storage.md", () => {
  const design = read("docs/design/storage.md");
  const tables = Object.values(schema).filter((value) => is(value, SQLiteTable));
  const columns = tables.flatMap((table) =>
    Object.entries(getTableColumns(table)).map(([property, { name }]) => ({
      name: `${getTableName(table)}.${name}`,
      isCamelCase: property === toCamelCase(name),
      property,
    })),
  );

  it("docs/design/triggers.md describes every trigger of the database", () => {
    const migrations = globSync("drizzle/*.sql").map(read).join("\n");
    // A later migration can replace a trigger.
    const created = [...migrations.matchAll(/CREATE TRIGGER `(?<name>\w+)`/g)].map(
      ({ groups }) => groups?.["name"] ?? "",
    );
    const triggers = [...new Set(created)];
    const described = [...read("docs/design/triggers.md").matchAll(/^\| `(?<name>\w+)` +\|/gm)].map(
      ({ groups }) => groups?.["name"] ?? "",
    );
    expect(described.toSorted()).toEqual(triggers.toSorted());
  });

  const listed = [...design.matchAll(/^\| `(?<column>\w+\.\w+)` +\| `(?<property>\w+)` +\|/gm)].map(({ groups }) => ({
    name: groups?.["column"],
    property: groups?.["property"],
  }));

  it("docs/design/storage.md lists every column that has another name in TypeScript", () => {
    const renamed = columns.filter(({ isCamelCase }) => !isCamelCase).map(({ name, property }) => ({ name, property }));
    expect(listed).toEqual(expect.arrayContaining(renamed));
  });

  it("docs/design/storage.md lists columns that exist", () => {
    expect(columns.map(({ name }) => name)).toEqual(expect.arrayContaining(listed.map(({ name }) => name)));
  });
});

describe("docs/providers.md", () => {
  const providers = read("docs/providers.md");

  it.each([
    ["waha", "and these events:", 7],
    ["whatsapp_cloud", "subscribe to these fields:", 13],
  ])("docs/providers.md lists the events that %s must send to its webhook", async (provider, introduction, count) => {
    const events = (await loadChannel(provider))?.webhook?.events ?? [];
    expect(events).toHaveLength(count);
    const [, after = ""] = providers.split(introduction);
    const list = /^(?:\s+- `[\w.]+`)+/.exec(after)?.[0] ?? "";
    expect([...list.matchAll(/`(?<name>[\w.]+)`/g)].map(({ groups }) => groups?.["name"])).toEqual(events);
  });
});

describe("test/bench/RESULTS.md", () => {
  it("test/bench/RESULTS.md contains a reason for every figure over its budget", () => {
    const results = read("test/bench/RESULTS.md");
    const reasons = [...results.matchAll(/^(?<number>\d+)\. /gm)].map(({ groups }) => groups?.["number"]);
    const over = results.split("\n").filter((line) => /^ .*\bOVER\b/.test(line));
    const numbers = over.map((line) => /\bOVER \((?<number>\d+)\)$/.exec(line)?.groups?.["number"] ?? line);
    expect(numbers.filter((number) => !reasons.includes(number))).toEqual([]);
  });
});
