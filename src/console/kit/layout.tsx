import { html } from "hono/html";
import type { Child, FC, PropsWithChildren } from "hono/jsx";
import { ICON_PATH } from "../../http/icon.ts";
import { type Page, showPage } from "./results.ts";
import { PostButton } from "./actions.tsx";
import { Avatar } from "./avatar.tsx";
import { Banner, Links } from "./feedback.tsx";
import { Icon } from "./icon.tsx";
import { Form } from "./form-fields.tsx";
import { type UserRequest, type PageRequest, RequestProvider } from "./request.ts";
import { Toasts } from "./toasts.tsx";

/** The whole of a page, with `header` before what it shows. */
const Document: FC<PropsWithChildren<{ request: PageRequest; page: Page }>> = ({ request, page, children }) => (
  <html lang="en" data-theme={request.theme === "system" ? undefined : request.theme}>
    <head>
      <meta charset="utf-8" />
      <meta name="viewport" content="width=device-width, initial-scale=1" />
      <meta name="color-scheme" content={request.theme === "system" ? "light dark" : request.theme} />
      <meta name="csrf-token" content={request.token} />
      <title>{`${page.title} · Tidings`}</title>
      <link rel="stylesheet" href={request.assets.pathOf("console.css")} />
      <link rel="icon" type="image/svg+xml" href={ICON_PATH} />
      {(["console.client.js", ...(page.scripts ?? [])] as const).map((name) => (
        <script type="module" src={request.assets.pathOf(name)}></script>
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

export const renderDocument = async (request: PageRequest, page: Page, body: Child): Promise<string> => {
  const document = (
    <RequestProvider value={request}>
      <Document request={request} page={page}>
        {body}
      </Document>
    </RequestProvider>
  );
  return String(await html`<!doctype html>${document}`);
};

const THEMES = [
  ["system", "monitor", "As the system"],
  ["light", "sun", "Light"],
  ["dark", "moon", "Dark"],
] as const;

export const ThemeChoice: FC<{ chosen: UserRequest["theme"] }> = ({ chosen }) => (
  <Form action="/console/theme" class="theme-choice">
    {THEMES.map(([value, icon, label]) => (
      <button
        type="submit"
        name="theme"
        value={value}
        aria-pressed={value === chosen ? "true" : "false"}
        title={label}
        data-act={`Theme: ${label.toLowerCase()}`}
      >
        <Icon name={icon} />
        <span class="unseen">{label}</span>
      </button>
    ))}
  </Form>
);

export const UserMenu: FC<{ request: UserRequest }> = ({ request: { session, theme } }) => (
  <details class="menu user">
    <summary>
      <Avatar name={session.user.name} />
      <span class="name">{session.user.name}</span>
    </summary>
    <div>
      <p class="help">{session.user.email}</p>
      <ThemeChoice chosen={theme} />
      {session.memberships.length > 1 && (
        <a href="/console/workspaces">
          <Icon name="building-2" /> All workspaces
        </a>
      )}
      <a href="/console/name">
        <Icon name="user-round" /> Your name
      </a>
      <a href="/console/password">
        <Icon name="lock" /> Change password
      </a>
      <PostButton action="/console/sign-out" leaves>
        <Icon name="log-out" /> Sign out
      </PostButton>
      <PostButton action="/console/sign-out-everywhere" leaves>
        <Icon name="log-out" /> Sign out everywhere
      </PostButton>
    </div>
  </details>
);

const Trail: FC<{ links: NonNullable<Page["trail"]> }> = ({ links }) =>
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

/** The part of a page that is its own. A notice of something done is a toast; an error stays in the page where it has room. */
export const PageContent: FC<{ request: PageRequest; page: Page; above?: Child }> = ({
  request: { notice },
  page,
  above,
}) =>
  page.pane !== undefined ? (
    <main id="main" class="panes" data-pane={page.pane} tabindex={-1}>
      {page.body}
    </main>
  ) : (
    <main id="main" tabindex={-1}>
      {above}
      <Trail links={page.trail ?? []} />
      <div class="heading">
        <h1 dir="auto">{page.title}</h1>
        {page.actions !== undefined && <div class="actions">{page.actions}</div>}
      </div>
      {notice?.kind === "error" && (
        <Banner kind="error">
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
  renderDocument(
    request,
    page,
    <>
      <header class="bar" data-member={request.session?.user.id}>
        <a class="brand" href="/console">
          Tidings
        </a>
        {request.session !== null && <UserMenu request={{ ...request, session: request.session }} />}
      </header>
      <Toasts request={request} page={page} />
      <div class="card">
        <PageContent request={request} page={page} />
      </div>
    </>,
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
