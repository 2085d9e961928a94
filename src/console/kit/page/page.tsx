import { html } from "hono/html";
import type { Child, FC, PropsWithChildren } from "hono/jsx";
import type { JSX } from "hono/jsx/jsx-runtime";
import { ICON_PATH } from "../../../http/response/icon.ts";
import type { ScriptName } from "./assets.ts";
import { Banner } from "../feedback.tsx";
import { Frame, SettingsMenu, trailOf, UserMenu } from "./frame.tsx";
import { Icon } from "../icon.tsx";
import {
  type PageRequest,
  RequestProvider,
  useFrame,
  usePageRequest,
  type WorkspaceRequest,
  WorkspaceRequestProvider,
} from "../request.ts";
import { NoticeText, Toasts } from "./toasts.tsx";

interface PageProps {
  title: string;
  trail?: readonly { text: string; href: string }[];
  actions?: Child;
  /** The pane that a phone shows. A page with panes has no heading of its own, because each pane has one. */
  pane?: "list" | "thread" | "person" | undefined;
  scripts?: readonly ScriptName[] | undefined;
}

const Document: FC<PropsWithChildren<Pick<PageProps, "title" | "scripts">>> = ({ title, scripts = [], children }) => {
  const { isSendingStopped, theme, token, assets } = usePageRequest();
  return (
    <html lang="en" data-theme={theme === "system" ? undefined : theme}>
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content={theme === "system" ? "light dark" : theme} />
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
        {isSendingStopped && <Banner kind="warning">The operator has stopped sending. Messages stay queued.</Banner>}
        {children}
      </body>
    </html>
  );
};

const Trail: FC<{ links: NonNullable<PageProps["trail"]> }> = ({ links }) =>
  links.length === 0 ? null : (
    <nav class="trail" aria-label="Breadcrumb">
      {links.map(({ text, href }) => (
        <a href={href}>
          <Icon name="chevron-left" size="small" />
          {text}
        </a>
      ))}
    </nav>
  );

const Main: FC<PropsWithChildren<PageProps>> = ({ title, trail, actions, pane, children }) => {
  const { notice } = usePageRequest();
  const workspace = useFrame();
  return pane !== undefined ? (
    <main id="main" class="panes" data-pane={pane} tabindex={-1}>
      {children}
    </main>
  ) : (
    <main id="main" tabindex={-1}>
      {workspace?.here.startsWith("/settings") === true && <SettingsMenu request={workspace} />}
      <Trail links={trail ?? (workspace === null ? [] : trailOf(workspace))} />
      <div class="heading">
        <h1 dir="auto">{title}</h1>
        {actions !== undefined && <div class="actions">{actions}</div>}
      </div>
      {notice?.kind === "error" && (
        <Banner kind="error">
          <NoticeText notice={notice} />
        </Banner>
      )}
      {children}
    </main>
  );
};

const Card: FC<PropsWithChildren<Pick<PageProps, "pane">>> = ({ pane, children }) => {
  const request = usePageRequest();
  return (
    <>
      <header class="bar" data-member={request.session?.user.id}>
        <a class="brand" href="/console">
          Tidings
        </a>
        {request.session !== null && <UserMenu request={{ ...request, session: request.session }} />}
      </header>
      <Toasts request={request} pane={pane} />
      <div class="card">{children}</div>
    </>
  );
};

export const Page: FC<PropsWithChildren<PageProps>> = (props) => {
  const { title, scripts, pane } = props;
  const workspace = useFrame();
  return (
    <Document title={title} scripts={scripts}>
      {workspace === null ? (
        <Card pane={pane}>
          <Main {...props} />
        </Card>
      ) : (
        <Frame request={workspace} pane={pane}>
          <Main {...props} />
        </Frame>
      )}
    </Document>
  );
};

export async function renderPage(request: PageRequest, page: Child): Promise<string> {
  return String(await html`<!doctype html>${<RequestProvider value={request}>{page}</RequestProvider>}`);
}

export const renderWorkspacePage = (request: WorkspaceRequest, page: Child): Promise<string> =>
  renderPage(request, <WorkspaceRequestProvider value={request}>{page}</WorkspaceRequestProvider>);

export const ErrorPage = ({ title, text, id }: { title: string; text: string; id: string }): JSX.Element => (
  <Page title={title}>
    <p>{text}</p>
    <p>
      <a href="/console">Go to console</a>
    </p>
    <p class="help">Request {id}</p>
  </Page>
);
