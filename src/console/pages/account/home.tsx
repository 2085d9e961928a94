import { AppError } from "../../../shared/errors.ts";
import { toLabel } from "../../kit/format.ts";
import { redirectTo } from "../../kit/results.ts";
import { userPages, workspacePages } from "../../kit/audiences.ts";
import { EmptyState } from "../../kit/feedback.tsx";
import type { NavigationItem } from "../../kit/page/navigation.ts";
import { Page } from "../../kit/page/page.tsx";

const users = userPages();
const members = workspacePages();

/** Redirects entry pages to the first page that the user may see. */
export const homePages = [users, members];

users.get("", {}, ({ session: { memberships } }) => {
  const [only, ...others] = memberships;
  return redirectTo(only !== undefined && others.length === 0 ? `/console/${only.id}` : "/console/workspaces");
});

users.get("/workspaces", {}, ({ session: { memberships } }) => (
  <Page title="Workspaces">
    {memberships.length === 0 ? (
      <EmptyState title="You're not in a workspace yet">Ask a workspace owner to invite you.</EmptyState>
    ) : (
      <ul class="choices">
        {memberships.map(({ id, name, role }) => (
          <li>
            <a href={`/console/${id}`}>
              <strong>{name}</strong> <span class="help">{toLabel(role)}</span>
            </a>
          </li>
        ))}
      </ul>
    )}
  </Page>
));

function first([place]: readonly NavigationItem[]): NavigationItem {
  if (place === undefined) throw new AppError("forbidden", "Your role has no access to any page.");
  return place;
}

members.get("", { role: "agent" }, (request) => redirectTo(request.path(first(request.mainNavigation).path)));

members.get("/settings", { role: "agent" }, (request) =>
  redirectTo(request.path(first(request.settingsNavigation).path)),
);
