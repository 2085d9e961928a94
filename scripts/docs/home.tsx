import type { FC } from "hono/jsx";
import { CodeTabs } from "./code.tsx";
import { ORIGIN } from "./origin.ts";
import { hrefOf, markdownPath, type Page } from "./page.ts";

const samples = [
  {
    language: "sh",
    title: "curl",
    code: `curl ${ORIGIN}/api/v1/messages \\
  -H "Authorization: Bearer $TIDINGS_API_KEY" \\
  -H "Content-Type: application/json" \\
  -d '{"to": "+15550100006", "text": "Your order has been shipped."}'`,
  },
  {
    language: "ts",
    code: `import { Tidings } from "@tidings/client";

const tidings = new Tidings({ apiKey: process.env.TIDINGS_API_KEY, baseUrl: "${ORIGIN}" });

await tidings.messages.send({ to: "+15550100006", text: "Your order has been shipped." });`,
  },
];

const Cards: FC<{ pages: Page[] }> = ({ pages }) => (
  <ul class="cards">
    {pages.map(({ path, title, description }) => (
      <li>
        <a href={hrefOf(path)}>{title}</a>
        <p>{description}</p>
      </li>
    ))}
  </ul>
);

const LEAD = "Send messages of every kind, manage conversations, and track every delivery.";

export function homePage(pages: Page[]): Page {
  const sections = [...Map.groupBy(pages, ({ section }) => section)];
  return {
    path: "",
    title: "Overview",
    description: LEAD,
    section: "",
    content: (
      <>
        <CodeTabs samples={samples} id="first-call" />
        <p>
          Set <code>TIDINGS_API_KEY</code> to an <a href={hrefOf("/authentication#create-a-key")}>API key</a>. The{" "}
          <a href={hrefOf("/quickstart")}>quickstart</a> uses the demo's key.
        </p>
        {sections.map(([section, members]) => (
          <>
            <h2>{section}</h2>
            <Cards pages={members} />
          </>
        ))}
      </>
    ),
    markdown: sections
      .map(
        ([section, members]) =>
          `## ${section}\n\n${members.map(({ path, title, description }) => `- [${title}](${markdownPath(hrefOf(path))}): ${description}`).join("\n")}`,
      )
      .join("\n\n"),
    headings: [],
    search: [],
  };
}
