import { AppError } from "../../shared/errors.ts";
import { go, show } from "../kit/answers.ts";
import { userPages, workspacePages } from "../kit/audiences.ts";
import { EmptyState } from "../kit/feedback.tsx";
import type { Place } from "../kit/navigation.ts";
import { labelOf } from "./contacts/contact-parts.tsx";

const users = userPages();
const members = workspacePages();

/** Where somebody arrives, and what leads on from there. */
export const homePages = [users, members];

users.get("", {}, ({ session: { memberships } }) => {
  const [only, ...others] = memberships;
  return go(only !== undefined && others.length === 0 ? `/console/${only.id}` : "/console/workspaces");
});

users.get("/workspaces", {}, ({ session: { memberships } }) =>
  show({
    title: "Workspaces",
    body:
      memberships.length === 0 ? (
        <EmptyState title="You belong to no workspace">Ask an owner of one to invite you.</EmptyState>
      ) : (
        <ul class="choices">
          {memberships.map(({ id, name, role }) => (
            <li>
              <a href={`/console/${id}`}>
                <strong>{name}</strong> <span class="help">{labelOf(role)}</span>
              </a>
            </li>
          ))}
        </ul>
      ),
  }),
);

/** The first of the places that somebody may see. */
function first([place]: readonly Place[]): Place {
  if (place === undefined) throw new AppError("forbidden", "There is nothing here for your role.");
  return place;
}

members.get("", { role: "agent" }, (visit) => go(visit.path(first(visit.places).path)));

members.get("/settings", { role: "admin" }, (visit) => go(visit.path(first(visit.settings).path)));
