import { html } from "hono/html";
import type { Child, FC, PropsWithChildren } from "hono/jsx";
import { ICON_PATH } from "../../http/icon.ts";
import { type Page, showPage } from "./results.ts";
import type { Assets } from "./assets.ts";
import { PostButton } from "./actions.tsx";
import { Banner, Links } from "./feedback.tsx";
import { isCurrent, type NavigationItem } from "./navigation.ts";
import {
  type UserRequest,
  type PageRequest,
  RequestProvider,
  WorkspaceRequestProvider,
  type WorkspaceRequest,
} from "./request.ts";

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
      <link rel="icon" type="image/svg+xml" href={ICON_PATH} />
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

const renderHtml = async (page: Child): Promise<string> => String(await html`<!doctype html>${page}`);

const Brand: FC<{ href: string }> = ({ href }) => (
  <a class="brand" href={href}>
    Tidings
  </a>
);

const UserMenu: FC<{ request: UserRequest }> = ({ request: { session } }) => (
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

const WorkspaceSwitcher: FC<{ request: WorkspaceRequest }> = ({ request: { session, workspace } }) =>
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

const Navigation: FC<{
  label: string;
  class: string;
  places: readonly NavigationItem[];
  request: WorkspaceRequest;
}> = ({ label, places, request, ...rest }) =>
  places.length === 0 ? null : (
    <nav aria-label={label} {...rest}>
      <ul>
        {places.map((place) => (
          <li>
            <a href={request.path(place.path)} aria-current={isCurrent(place, request.here) ? "page" : undefined}>
              {place.label}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );

const Content: FC<{ request: PageRequest; page: Page; above?: Child }> = ({ request: { notice }, page, above }) => (
  <main id="main" tabindex={-1}>
    {above}
    <div class="heading">
      <h1>{page.title}</h1>
      {page.actions !== undefined && <div class="actions">{page.actions}</div>}
    </div>
    {notice !== null && (
      <Banner kind={notice.kind}>
        {notice.text}
        {notice.links.length > 0 && (
          <>
            {" "}
            <Links links={notice.links} />.
          </>
        )}
      </Banner>
    )}
    {page.body}
  </main>
);

/** A page outside of workspaces: a card in the middle. */
export const renderCard = (request: PageRequest, page: Page): Promise<string> =>
  renderHtml(
    <RequestProvider value={request}>
      <Document title={page.title} assets={request.assets} token={request.token} scripts={page.scripts}>
        <header class="bar">
          <Brand href="/console" />
          {request.session !== null && <UserMenu request={{ ...request, session: request.session }} />}
        </header>
        <div class="card">
          <Content request={request} page={page} />
        </div>
      </Document>
    </RequestProvider>,
  );

/** A page in place of one that cannot be shown. */
export const renderErrorPage = (request: PageRequest, title: string, text: string, id: string): Promise<string> => {
  const body = (
    <>
      <p>{text}</p>
      <p>
        <a href="/console">Go to the console</a>
      </p>
      <p class="help">Request {id}</p>
    </>
  );
  return renderCard(request, showPage({ title, body }));
};

/** A page of a workspace, with its navigation. */
export const renderInWorkspace = (request: WorkspaceRequest, page: Page): Promise<string> => {
  const isSetting = request.here.startsWith("/settings");
  return renderHtml(
    <RequestProvider value={request}>
      <WorkspaceRequestProvider value={request}>
        <Document title={page.title} assets={request.assets} token={request.token} scripts={page.scripts}>
          <header class="bar">
            <Brand href={request.path("")} />
            <WorkspaceSwitcher request={request} />
            <UserMenu request={request} />
          </header>
          <div class="frame">
            <Navigation label="Main" class="side" places={request.mainNavigation} request={request} />
            <Content
              request={request}
              page={page}
              above={
                isSetting && (
                  <Navigation label="Settings" class="tabs" places={request.settingsNavigation} request={request} />
                )
              }
            />
          </div>
        </Document>
      </WorkspaceRequestProvider>
    </RequestProvider>,
  );
};
