import { raw } from "hono/html";
import type { FC } from "hono/jsx";
import { createHighlighterCore, type ThemeInput } from "shiki/core";
import { createJavaScriptRegexEngine } from "shiki/engine/javascript";
import bash from "shiki/langs/bash.mjs";
import http from "shiki/langs/http.mjs";
import json from "shiki/langs/json.mjs";
import php from "shiki/langs/php.mjs";
import python from "shiki/langs/python.mjs";
import toml from "shiki/langs/toml.mjs";
import typescript from "shiki/langs/typescript.mjs";

/**
 * The kinds of tokens. Shiki returns a color for each token, but the pages need a class. So `theme` gives each kind
 * its own color, and `highlight` replaces that color with a class such as `hl-keyword`.
 */
const kinds: { kind: string; scope: string[] }[] = [
  { kind: "comment", scope: ["comment", "punctuation.definition.comment"] },
  {
    kind: "keyword",
    scope: ["keyword", "storage", "variable.language", "keyword.operator.new", "support.type.property"],
  },
  { kind: "string", scope: ["string", "punctuation.definition.string", "constant.character"] },
  { kind: "number", scope: ["constant.numeric", "constant.language", "constant.other.option"] },
  {
    kind: "function",
    scope: ["entity.name.function", "support.function", "entity.name.command", "meta.function-call.generic"],
  },
  { kind: "type", scope: ["entity.name.type", "support.class", "entity.other.inherited-class"] },
  { kind: "property", scope: ["support.type.property-name", "meta.object-literal.key", "entity.name.tag.toml"] },
  {
    kind: "variable",
    scope: ["variable.other.normal.shell", "punctuation.definition.variable.shell", "string variable"],
  },
  { kind: "plain", scope: ["keyword.operator", "punctuation", "meta.brace"] },
];

const colorOf = (index: number) => `#00000${index + 1}`;
const classes = new Map(kinds.map(({ kind }, index) => [colorOf(index), kind]));

const theme: ThemeInput = {
  name: "classes",
  type: "light",
  fg: "#000000",
  bg: "#ffffff",
  settings: kinds.map(({ scope }, index) => ({ scope, settings: { foreground: colorOf(index) } })),
};

const highlighter = await createHighlighterCore({
  themes: [theme],
  langs: [bash, http, json, php, python, toml, typescript],
  engine: createJavaScriptRegexEngine({ forgiving: true }),
});

const grammars = new Map([
  ["sh", "bash"],
  ["json", "json"],
  ["ts", "typescript"],
  ["js", "typescript"],
  ["php", "php"],
  ["py", "python"],
  ["python", "python"],
  ["http", "http"],
  ["toml", "toml"],
]);

export const escapeHtml = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");

const known = new Map<string, string>();

/** Returns the code as HTML. If there is no grammar for the language, the code is not highlighted. */
function highlight(code: string, language: string): string {
  const lang = grammars.get(language);
  if (lang === undefined) return escapeHtml(code);
  const key = `${lang} ${code}`;
  const before = known.get(key);
  if (before !== undefined) return before;
  // Zero means no time limit. With a limit, Shiki would stop in the middle of a long line on a busy machine.
  const { tokens } = highlighter.codeToTokens(code, { lang, theme: "classes", tokenizeTimeLimit: 0 });
  const lines = tokens.map((line) =>
    line
      .map(({ content, color = "" }) => {
        const kind = classes.get(color.toLowerCase()) ?? "plain";
        return kind === "plain" ? escapeHtml(content) : `<span class="hl-${kind}">${escapeHtml(content)}</span>`;
      })
      .join(""),
  );
  const html = lines.join("\n");
  known.set(key, html);
  return html;
}

const titles = new Map([
  ["sh", "Shell"],
  ["ts", "TypeScript"],
  ["js", "Node.js"],
  ["json", "JSON"],
  ["php", "PHP"],
  ["py", "Python"],
  ["python", "Python"],
  ["http", "HTTP"],
  ["toml", "TOML"],
  ["text", "Text"],
]);

export interface Sample {
  language: string;
  code: string;
  title?: string;
}

const titleOf = ({ language, title }: Sample) => title ?? titles.get(language) ?? language;

const CopyButton: FC = () => (
  <button type="button" class="copy" data-copy hidden>
    Copy
  </button>
);

/** `tabindex` makes the block focusable. Otherwise, keyboard users could not scroll a long block. */
const Pre: FC<{ sample: Sample }> = ({ sample }) => (
  <pre class={sample.language} tabindex={0} aria-label={titleOf(sample)} role="group">
    <code>{raw(highlight(sample.code.trimEnd(), sample.language))}</code>
  </pre>
);

export const CodeBlock: FC<{ sample: Sample }> = ({ sample }) => (
  <figure class="code">
    <figcaption>
      <span>{titleOf(sample)}</span>
      <CopyButton />
    </figcaption>
    <Pre sample={sample} />
  </figure>
);

/**
 * Shows one language at a time. The tabs are radio buttons, so they also work without JavaScript. `id` is the name
 * of their group, so it must be unique on the page.
 */
export const CodeTabs: FC<{ samples: Sample[]; id: string }> = ({ samples, id }) => {
  const [first] = samples;
  if (first === undefined) return null;
  if (samples.length === 1) return <CodeBlock sample={first} />;
  return (
    <figure class="code tabs">
      {samples.map((sample, index) => (
        <>
          <input
            type="radio"
            name={id}
            id={`${id}-${sample.language}`}
            data-language={sample.language}
            checked={index === 0}
          />
          <label for={`${id}-${sample.language}`}>{titleOf(sample)}</label>
        </>
      ))}
      <CopyButton />
      {samples.map((sample) => (
        <div class="panel">
          <Pre sample={sample} />
        </div>
      ))}
    </figure>
  );
};
