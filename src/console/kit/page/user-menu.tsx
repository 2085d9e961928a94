import type { FC } from "hono/jsx";
import { PostButton } from "../actions.tsx";
import { Avatar } from "../avatar.tsx";
import { Form } from "../forms/form-fields.tsx";
import { Icon } from "../icon.tsx";
import type { UserRequest } from "../request.ts";

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
