import type { Child, FC } from "hono/jsx";
import { type Heading, hrefOf, markdownPath, type Page } from "./page.ts";
import { PLACEHOLDER_NOTE } from "./origin.ts";
import { MethodName } from "./reference/operation.tsx";

export interface Assets {
  style: string;
  script: string;
  theme: string;
}

export interface Site {
  pages: Page[];
  assets: Assets;
}

const Navigation: FC<{ pages: Page[]; current: Page }> = ({ pages, current }) => (
  <nav class="pages" id="navigation" aria-label="Pages" popover="auto">
    {[...Map.groupBy(pages, ({ section }) => section)].map(([section, members]) => (
      <>
        {section !== "" && <h2>{section}</h2>}
        <ul>
          {members.map((page) => (
            <li>
              <a href={hrefOf(page.path)} aria-current={page === current ? "page" : undefined}>
                {page.title}
              </a>
              {page === current && page.operations !== undefined && <Operations operations={page.operations} />}
            </li>
          ))}
        </ul>
      </>
    ))}
  </nav>
);

const Operations: FC<{ operations: NonNullable<Page["operations"]> }> = ({ operations }) => (
  <ul class="operations">
    {operations.map(({ anchor, method, title }) => (
      <li>
        <a href={`#${anchor}`}>
          {method !== null && <MethodName name={method} />}
          <span>{title}</span>
        </a>
      </li>
    ))}
  </ul>
);

const OnThisPage: FC<{ headings: Heading[] }> = ({ headings }) => {
  const listed = headings.filter(({ depth }) => depth === 2 || depth === 3);
  if (listed.length < 2) return null;
  return (
    <nav class="on-this-page" aria-labelledby="on-this-page">
      <h2 id="on-this-page">On this page</h2>
      <ul>
        {listed.map(({ id, text, depth }) => (
          <li class={`depth-${depth}`}>
            <a href={`#${id}`}>{text}</a>
          </li>
        ))}
      </ul>
    </nav>
  );
};

const Neighbours: FC<{ pages: Page[]; current: Page }> = ({ pages, current }) => {
  const index = pages.indexOf(current);
  const links = [
    { page: pages[index - 1], word: "Previous", rel: "prev" },
    { page: pages[index + 1], word: "Next", rel: "next" },
  ];
  return (
    <nav class="neighbours" aria-label="Previous and next page">
      {links.map(
        ({ page, word, rel }) =>
          page !== undefined && (
            <a href={hrefOf(page.path)} rel={rel}>
              <span>{word}</span>
              {page.title}
            </a>
          ),
      )}
    </nav>
  );
};

const Icon: FC<{ path: string }> = ({ path }) => (
  <svg viewBox="0 0 24 24" width="20" height="20" aria-hidden="true">
    <path
      d={path}
      fill="none"
      stroke="currentColor"
      stroke-width="1.8"
      stroke-linecap="round"
      stroke-linejoin="round"
    />
  </svg>
);

const Header: FC = () => (
  <header class="top">
    <button type="button" class="menu" popovertarget="navigation" aria-label="Menu">
      <Icon path="M4 7h16M4 12h16M4 17h16" />
    </button>
    <a class="brand" href="/docs">
      <svg viewBox="0 0 32 32" width="26" height="26" aria-hidden="true">
        <path class="bubble" d="M6 3h20a4 4 0 0 1 4 4v14a4 4 0 0 1-4 4H14l-7 5v-5H6a4 4 0 0 1-4-4V7a4 4 0 0 1 4-4z" />
        <path class="lines" d="M9 11h14M9 17h8" />
      </svg>
      Tidings <span>docs</span>
    </a>
    <button type="button" class="search" data-search hidden aria-keyshortcuts="Control+K /" aria-haspopup="dialog">
      <Icon path="m21 21-4.3-4.3M11 18a7 7 0 1 0 0-14 7 7 0 0 0 0 14Z" />
      <span class="words">Search</span>
      <kbd aria-hidden="true">Ctrl K</kbd>
    </button>
    <nav class="places" aria-label="Sections">
      <a href={hrefOf("/quickstart")}>Guides</a>
      <a href={hrefOf("/reference")}>API</a>
      <a href={hrefOf("/changelog")}>Changelog</a>
      <a href="/console">Console</a>
    </nav>
    <button type="button" class="theme" data-theme-switch hidden aria-label="Theme">
      <Icon path="M12 3v18a9 9 0 0 0 0-18Zm0 0a9 9 0 1 0 0 18" />
    </button>
  </header>
);

const SearchDialog: FC = () => (
  <dialog class="search-dialog" data-search-dialog aria-label="Search">
    <div class="search-box">
      <input
        type="text"
        role="combobox"
        placeholder="Search guides and reference"
        aria-label="Search"
        aria-controls="search-results"
        aria-expanded="false"
        aria-autocomplete="list"
        autocomplete="off"
        spellcheck={false}
      />
      <button type="button">Close</button>
    </div>
    <ul id="search-results" role="listbox" aria-label="Results" />
    <p class="search-hint" role="status" />
  </dialog>
);

export const Document: FC<{ site: Site; current: Page; children?: Child }> = ({ site: { pages, assets }, current }) => {
  const isListed = pages.includes(current);
  const markdownHref = markdownPath(hrefOf(current.path));
  const isReference = current.path.startsWith("/reference/");
  const title = current.path === "" ? "Tidings documentation" : `${current.title} · Tidings`;
  return (
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>{title}</title>
        <meta name="description" content={current.description} />
        <link rel="icon" href="/favicon.ico" />
        {isListed && <link rel="alternate" type="text/markdown" href={markdownHref} />}
        <link rel="stylesheet" href={assets.style} />
        <script src={assets.theme} />
        <script type="module" src={assets.script} />
      </head>
      <body class={isReference ? "reference" : "guide"}>
        <a class="skip" href="#content">
          Skip to the content
        </a>
        <Header />
        <Navigation pages={pages} current={current} />
        <main id="content" tabindex={-1}>
          <div class="title">
            {current.section !== "" && <p class="section">{current.section}</p>}
            <h1>{current.title}</h1>
            {current.description !== "" && <p class="lead">{current.description}</p>}
            <noscript>
              <p class="tools">{PLACEHOLDER_NOTE}</p>
            </noscript>
            {isListed && (
              <p class="tools">
                <a href={markdownHref}>View as Markdown</a>
              </p>
            )}
          </div>
          {current.content}
          {isListed && <Neighbours pages={pages} current={current} />}
        </main>
        {!isReference && <OnThisPage headings={current.headings} />}
        <SearchDialog />
      </body>
    </html>
  );
};
