import * as z from "zod";
import { setSessionCookies } from "../../../features/members/members.middleware.ts";
import { passwordChange, nameChange } from "../../../features/members/members.schemas.ts";
import { changePassword } from "../../../features/members/access/sign-in.ts";
import { redirectTo } from "../../kit/results.ts";
import { userPages, workspacePages } from "../../kit/audiences.ts";
import { Form, Submit, TextField } from "../../kit/forms/form-fields.tsx";
import { Page } from "../../kit/page/page.tsx";
import { CurrentPasswordField, NewPasswordFields } from "./sign-in.tsx";
import { renameUser } from "../../../features/members/members.service.ts";
import type { UserRequest, WorkspaceRequest } from "../../kit/request.ts";
import { refererPath } from "../../kit/pages.ts";
import { personPaneShape, storePersonPane, storeTheme, themeShape } from "../../kit/page/appearance.ts";
import { AppError } from "../../../shared/errors.ts";
import { toLabel } from "../../kit/format.ts";
import { EmptyState } from "../../kit/feedback.tsx";
import { FURTHER_PAGES, MAIN_NAVIGATION, type NavigationItem, SETTINGS_NAVIGATION } from "../../kit/page/navigation.ts";

export const accountPages = userPages();

accountPages.post("/theme", { body: z.strictObject({ theme: themeShape }) }, (_request, { body, c }) => {
  storeTheme(c, body.theme);
  return redirectTo(refererPath(c));
});

accountPages.post("/person-pane", { body: z.strictObject({ pane: personPaneShape }) }, (_request, { body, c }) => {
  storePersonPane(c, body.pane);
  return redirectTo(refererPath(c));
});

const namePage = ({ session }: UserRequest) => (
  <Page title="Your name">
    <Form action="/console/name">
      <TextField
        name="name"
        label="Name"
        help="Colleagues see this name on your messages and assignments."
        autocomplete="name"
        maxlength={200}
        required
        value={session.user.name}
      />
      <Submit>Save</Submit>
    </Form>
  </Page>
);

accountPages.form("/name", { body: nameChange, page: namePage }, async ({ base, session }, { body }) => {
  await renameUser(base, session, body.name);
  return redirectTo("/console/name", "Name saved.");
});

const passwordPage = () => (
  <Page title="Change password">
    <Form action="/console/password">
      <CurrentPasswordField name="current_password" label="Current password" />
      <NewPasswordFields />
      <p class="help">You'll be signed out everywhere else.</p>
      <Submit>Change password</Submit>
    </Form>
  </Page>
);

accountPages.form("/password", { body: passwordChange, page: passwordPage }, async (request, { body, c }) => {
  const change = { current: body.current_password, next: body.new_password };
  await setSessionCookies(c, await changePassword(request.base, request.session, change, request.origin));
  return redirectTo("/console", "Password changed.");
});

export const homePages = workspacePages();

/** A page's path without a workspace, such as `/console/inbox`, leads to the page of the user's workspace. */
const pagePaths = [...MAIN_NAVIGATION, ...SETTINGS_NAVIGATION, ...FURTHER_PAGES].map(({ path }) => path);

for (const page of new Set(["", ...pagePaths])) {
  accountPages.get(page, {}, ({ session: { memberships }, url: { search } }) => {
    const [only, ...others] = memberships;
    if (only !== undefined && others.length === 0) return redirectTo(`/console/${only.id}${page}${search}`);
    return redirectTo(`/console/workspaces${page === "" ? "" : `?page=${encodeURIComponent(page + search)}`}`);
  });
}

const workspacesQuery = z.object({
  page: z
    .string()
    .regex(/^\/[\w/-]*(\?.*)?$/s)
    .default(""),
});

accountPages.get("/workspaces", { query: workspacesQuery }, ({ session: { memberships } }, { query: { page } }) => (
  <Page title="Workspaces">
    {memberships.length === 0 ? (
      <EmptyState title="You're not in a workspace yet">Ask a workspace owner to invite you.</EmptyState>
    ) : (
      <ul class="choices">
        {memberships.map(({ id, name, role }) => (
          <li>
            <a href={`/console/${id}${page}`}>
              <strong>{name}</strong> <span class="help">{toLabel(role)}</span>
            </a>
          </li>
        ))}
      </ul>
    )}
  </Page>
));

function redirectToFirst({ path }: WorkspaceRequest, [first]: readonly NavigationItem[]) {
  if (first === undefined) throw new AppError("forbidden", "Your role has no access to any page.");
  return redirectTo(path(first.path));
}

homePages.get("", { role: "agent" }, (request) => redirectToFirst(request, request.mainNavigation));
homePages.get("/settings", { role: "agent" }, (request) => redirectToFirst(request, request.settingsNavigation));
