import type { FC, PropsWithChildren } from "hono/jsx";
import { PostButton } from "../actions.tsx";
import { Avatar, Icon } from "../icon.tsx";
import { Form } from "../forms/form-fields.tsx";
import type { UserRequest, WorkspaceRequest } from "../request.ts";
import { isCurrent, type NavigationItem, UNREAD_LIMIT } from "./navigation.ts";
import { Toasts } from "./toasts.tsx";

const THEMES = [
  ["system", "monitor", "System"],
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

const WorkspaceSwitcher: FC<{ request: WorkspaceRequest }> = ({ request: { session, workspace } }) =>
  session.memberships.length < 2 ? (
    <div class="workspace">
      <Avatar name={workspace.name} shape="square" />
      <span class="name">{workspace.name}</span>
    </div>
  ) : (
    <details class="menu workspace">
      <summary>
        <Avatar name={workspace.name} shape="square" />
        <span class="unseen">Workspace: </span>
        <span class="name">{workspace.name}</span>
        <Icon name="chevrons-up-down" size="small" />
      </summary>
      <div>
        {session.memberships.map(({ id, name }) => (
          <a href={`/console/${id}`} aria-current={id === workspace.id ? "true" : undefined}>
            <Avatar name={name} shape="square" />
            {name}
          </a>
        ))}
      </div>
    </details>
  );

const SearchLink: FC<{ request: WorkspaceRequest }> = ({ request }) => (
  <a class="search-link" href={request.path("/search")} data-palette>
    <Icon name="search" />
    <span>Search</span>
    <kbd class="needs-script">Ctrl K</kbd>
  </a>
);

const UnreadCount: FC<{ request: WorkspaceRequest }> = async ({ request }) => {
  const { unread, mentions } = (await request.countUnreadAndMentions()) ?? { unread: 0, mentions: 0 };
  const upToMost = (count: number) => (count < UNREAD_LIMIT ? String(count) : `${UNREAD_LIMIT - 1}+`);
  const text = upToMost(unread);
  return (
    <span
      id="unread"
      class="unread-count"
      data-changes-with="conversation"
      data-source={request.path("/inbox/unread")}
      data-count={unread === 0 ? "" : text}
    >
      {unread > 0 && (
        <>
          {text} <span class="unseen">unread</span>
        </>
      )}
      {mentions > 0 && (
        <span class="mention-count">
          {" "}
          @{upToMost(mentions)}
          <span class="unseen"> {mentions === 1 ? "mention" : "mentions"} of you</span>
        </span>
      )}
    </span>
  );
};

const NavigationLink: FC<{ item: NavigationItem; request: WorkspaceRequest; isWithin?: boolean }> = ({
  item,
  request,
  isWithin = false,
}) => (
  <a
    href={request.path(item.path)}
    aria-current={isCurrent(item, request.here) ? "page" : undefined}
    data-key={item.keys}
  >
    {!isWithin && <Icon name={item.icon} />}
    <span class="name">{item.label}</span>
    {item.path === "/inbox" && <UnreadCount request={request} />}
  </a>
);

/**
 * Phones show the items that do not fit into the bottom bar in this menu. If the user is on the page of one of
 * them, the menu shows the name of that page instead of "More".
 */
const MoreMenu: FC<{ items: readonly NavigationItem[]; request: WorkspaceRequest }> = ({ items, request }) => {
  const current = items.find((item) => isCurrent(item, request.here));
  return (
    <li class="more-places">
      <details class="menu">
        <summary class={current === undefined ? undefined : "current"}>
          <Icon name={current?.icon ?? "ellipsis"} />
          <span class="name">{current?.label ?? "More"}</span>
        </summary>
        <div>
          {items.map((item) => (
            <NavigationLink item={item} request={request} />
          ))}
        </div>
      </details>
    </li>
  );
};

const isSettings = ({ path }: NavigationItem) => path === "/settings";

const MainNavigation: FC<{ request: WorkspaceRequest }> = ({ request }) => {
  const { mainNavigation, settingsNavigation, here } = request;
  const rare = mainNavigation.filter(({ isRare }) => isRare === true);
  return (
    <nav aria-label="Main">
      <ul>
        {mainNavigation.map((item) => (
          <li class={item.isRare === true ? "rare" : undefined}>
            <NavigationLink item={item} request={request} />
            {isSettings(item) && isCurrent(item, here) && (
              <ul>
                {settingsNavigation.map((setting) => (
                  <li>
                    <NavigationLink item={setting} request={request} isWithin />
                  </li>
                ))}
              </ul>
            )}
          </li>
        ))}
        {rare.length > 0 && <MoreMenu items={rare} request={request} />}
      </ul>
    </nav>
  );
};

export const SettingsMenu: FC<{ request: WorkspaceRequest }> = ({ request }) => {
  const current = request.settingsNavigation.find((item) => isCurrent(item, request.here));
  return (
    <details class="menu places">
      <summary>
        {current !== undefined && <Icon name={current.icon} />} {current?.label ?? "Settings"}{" "}
        <Icon name="chevron-down" size="small" />
      </summary>
      <div>
        {request.settingsNavigation.map((item) => (
          <NavigationLink item={item} request={request} isWithin />
        ))}
      </div>
    </details>
  );
};

export function trailOf({ mainNavigation, settingsNavigation, here, path }: WorkspaceRequest) {
  const items = [...settingsNavigation, ...mainNavigation.filter((item) => !isSettings(item))];
  const item = items.find((each) => isCurrent(each, here));
  return item === undefined || item.path === here ? [] : [{ text: item.label, href: path(item.path) }];
}

export const Frame: FC<PropsWithChildren<{ request: WorkspaceRequest; pane: string | undefined }>> = ({
  request,
  pane,
  children,
}) => (
  <div
    class="frame"
    data-updates={request.path("/live")}
    data-rendered-at={request.receivedAt}
    data-member={request.session.user.id}
  >
    <header class="side">
      <WorkspaceSwitcher request={request} />
      <SearchLink request={request} />
      <MainNavigation request={request} />
      <Toasts request={request} pane={pane} />
      <UserMenu request={request} />
    </header>
    {children}
  </div>
);
