import { raw } from "hono/html";
import type { FC } from "hono/jsx";
import { highlight } from "./highlight.ts";

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
  /** Replaces the language's name. */
  title?: string;
}

const titleOf = ({ language, title }: Sample) => title ?? titles.get(language) ?? language;

const CopyButton: FC = () => (
  <button type="button" class="copy" data-copy hidden>
    Copy
  </button>
);

/** Long blocks scroll, so they must be focusable by keyboard. */
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

/** Shows one sample at a time, by language, and works without scripts. `id` is unique on the page. */
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
