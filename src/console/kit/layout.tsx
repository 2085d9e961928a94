import { html } from "hono/html";
import type { Child, FC, PropsWithChildren } from "hono/jsx";
import type { Page } from "./answers.ts";
import type { Assets } from "./assets.ts";
import { PostButton } from "./actions.tsx";
import { Banner, Links } from "./feedback.tsx";
import { isAt, type Place } from "./navigation.ts";
import { type UserVisit, type Visit, VisitProvider, WorkspaceProvider, type WorkspaceVisit } from "./visit.ts";

interface DocumentProps {
  title: string;
  assets: Assets;
  token: string;
  scripts?: Page["scripts"] | undefined;
}

const Document: FC<PropsWithChildren<DocumentProps>> = ({ title, assets, token, scripts = [], children }) => (
  <html lang="en">
    <head>
      <meta charset="utf-8" />
      <meta name="viewport" content="width=device-width, initial-scale=1" />
      <meta name="csrf-token" content={token} />
      <title>{`${title} · Tidings`}</title>
      <link rel="stylesheet" href={assets.pathOf("console.css")} />
      <link rel="icon" href="data:," />
      {(["console.client.js", ...scripts] as const).map((name) => (
        <script type="module" src={assets.pathOf(name)}></script>
      ))}
    </head>
    <body>
      <a class="skip" href="#main">
        Skip to content
      </a>
      {children}
    </body>
  </html>
);

const asText = async (page: Child): Promise<string> => String(await html`<!doctype html>${page}`);

const Brand: FC<{ href: string }> = ({ href }) => (
  <a class="brand" href={href}>
    Tidings
  </a>
);

const UserMenu: FC<{ visit: UserVisit }> = ({ visit: { session } }) => (
  <details class="menu user">
    <summary>{session.user.name}</summary>
    <div>
      <p class="help">{session.user.email}</p>
      {session.memberships.length > 1 && <a href="/console/workspaces">All workspaces</a>}
      <a href="/console/password">Change password</a>
      <PostButton action="/console/sign-out">Sign out</PostButton>
      <PostButton action="/console/sign-out-everywhere">Sign out everywhere</PostButton>
    </div>
  </details>
);

const Switcher: FC<{ visit: WorkspaceVisit }> = ({ visit: { session, workspace } }) =>
  session.memberships.length < 2 ? (
    <span class="workspace">{workspace.name}</span>
  ) : (
    <details class="menu workspace">
      <summary>
        <span class="unseen">Workspace: </span>
        {workspace.name}
      </summary>
      <div>
        {session.memberships.map(({ id, name }) => (
          <a href={`/console/${id}`} aria-current={id === workspace.id ? "true" : undefined}>
            {name}
          </a>
        ))}
      </div>
    </details>
  );

const Places: FC<{ label: string; class: string; places: readonly Place[]; visit: WorkspaceVisit }> = ({
  label,
  places,
  visit,
  ...rest
}) =>
  places.length === 0 ? null : (
    <nav aria-label={label} {...rest}>
      <ul>
        {places.map((place) => (
          <li>
            <a href={visit.path(place.path)} aria-current={isAt(place, visit.here) ? "page" : undefined}>
              {place.label}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );

const Content: FC<{ visit: Visit; page: Page; above?: Child }> = ({ visit: { flash }, page, above }) => (
  <main id="main" tabindex={-1}>
    {above}
    <div class="heading">
      <h1>{page.title}</h1>
      {page.actions !== undefined && <div class="actions">{page.actions}</div>}
    </div>
    {flash !== null && (
      <Banner kind={flash.kind}>
        {flash.text}
        {flash.links.length > 0 && (
          <>
            {" "}
            <Links links={flash.links} />.
          </>
        )}
      </Banner>
    )}
    {page.body}
  </main>
);

/** A page without a workspace: a card in the middle. */
export const renderCard = (visit: Visit, page: Page): Promise<string> =>
  asText(
    <VisitProvider value={visit}>
      <Document title={page.title} assets={visit.assets} token={visit.token} scripts={page.scripts}>
        <header class="bar">
          <Brand href="/console" />
          {visit.session !== null && <UserMenu visit={{ ...visit, session: visit.session }} />}
        </header>
        <div class="card">
          <Content visit={visit} page={page} />
        </div>
      </Document>
    </VisitProvider>,
  );

/** A page of a workspace, with its navigation. */
export const renderInWorkspace = (visit: WorkspaceVisit, page: Page): Promise<string> => {
  const isSetting = visit.here.startsWith("/settings");
  return asText(
    <VisitProvider value={visit}>
      <WorkspaceProvider value={visit}>
        <Document title={page.title} assets={visit.assets} token={visit.token} scripts={page.scripts}>
          <header class="bar">
            <Brand href={visit.path("")} />
            <Switcher visit={visit} />
            <UserMenu visit={visit} />
          </header>
          <div class="frame">
            <Places label="Main" class="side" places={visit.places} visit={visit} />
            <Content
              visit={visit}
              page={page}
              above={isSetting && <Places label="Settings" class="tabs" places={visit.settings} visit={visit} />}
            />
          </div>
        </Document>
      </WorkspaceProvider>
    </VisitProvider>,
  );
};
