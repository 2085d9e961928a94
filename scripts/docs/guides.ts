import { basename } from "node:path";

const SECTIONS = ["Start", "Messaging", "Events", "Software", "Operate"];

export interface Guide {
  file: string;
  path: string;
  title: string;
  description: string;
  section: string;
  order: number;
  /** The text without front matter and title. */
  body: string;
}

/** Files outside docs/guides that are also pages of the site. */
const others: (Pick<Guide, "file" | "path" | "section" | "order"> & Partial<Guide>)[] = [
  { file: "sdk/README.md", path: "/sdk", section: "Software", order: 10, title: "TypeScript SDK" },
  {
    file: "docs/providers.md",
    path: "/providers",
    section: "Operate",
    order: 20,
    description: "Connect WhatsApp's Cloud API, a WAHA server, or the sandbox, step by step.",
  },
  {
    file: "docs/deploying.md",
    path: "/deploying",
    section: "Operate",
    order: 30,
    description: "Deploy to Cloudflare, and look up settings, queues and limits.",
  },
  {
    file: "CHANGELOG.md",
    path: "/changelog",
    section: "Operate",
    order: 90,
    description: "New features, changes and fixes of each version.",
  },
];

function frontMatterOf(text: string): { fields: Map<string, string>; body: string } {
  const match = /^---\n(?<head>.*?)\n---\n(?<body>.*)$/s.exec(text);
  const lines = (match?.groups?.["head"] ?? "").split("\n");
  const fields = lines.map((line): [string, string] => {
    const [name = "", ...rest] = line.split(":");
    return [
      name.trim(),
      rest
        .join(":")
        .trim()
        .replace(/^"(.*)"$/, "$1"),
    ];
  });
  return { fields: new Map(fields), body: match?.groups?.["body"] ?? text };
}

const firstParagraph = (body: string): string =>
  (body.split("\n\n").find((block) => /^[^#\s<`|]/.test(block)) ?? "")
    .trimEnd()
    .replaceAll("\n", " ")
    .replaceAll(/[`*]|\]\([^)]*\)|\[/g, "");

function guideOf(file: string, text: string): Guide {
  const { fields, body } = frontMatterOf(text);
  const other = others.find((one) => one.file === file);
  const heading = /^# (?<title>.+)$/m.exec(body)?.groups?.["title"];
  return {
    file,
    path: other?.path ?? `/${basename(file, ".md")}`,
    title: fields.get("title") ?? other?.title ?? heading ?? basename(file, ".md"),
    description:
      fields.get("description") ?? other?.description ?? firstParagraph(body.replace(/^# .+$/m, "").trimStart()),
    section: fields.get("section") ?? other?.section ?? "Software",
    order: Number(fields.get("order") ?? other?.order ?? 50),
    body: body.replace(/^# .+\n+/m, ""),
  };
}

const isGuide = (file: string): boolean =>
  /^docs\/guides\/[\w-]+\.md$/.test(file) || others.some((other) => other.file === file);

export function guidesOf(files: ReadonlyMap<string, string>): Guide[] {
  const guides = [...files].filter(([file]) => isGuide(file)).map(([file, text]) => guideOf(file, text));
  const rank = ({ section }: Guide) => (SECTIONS.includes(section) ? SECTIONS.indexOf(section) : SECTIONS.length);
  return guides.toSorted((one, other) => rank(one) - rank(other) || one.order - other.order);
}
