// Says which segments no longer work once a change is made.
import type { Named } from "../../../features/campaigns/find-uses.ts";
import { type HandlerResult, redirectTo } from "../../kit/results.ts";
import type { WorkspaceRequest } from "../../kit/request.ts";

/** What fits into the cookie that carries the notice, also where every letter takes twelve bytes there. */
const SHOWN = 5;
const LONGEST = 24;

function shorten(name: string): string {
  const characters = Array.from(name);
  return characters.length > LONGEST ? `${characters.slice(0, LONGEST).join("")}…` : name;
}

/** To a page that says what is done, and names the segments that are broken by it, each with a link. */
export function redirectNamingBrokenSegments(
  { path }: WorkspaceRequest,
  to: string,
  done: string,
  broken: readonly Named[],
): HandlerResult {
  if (broken.length === 0) return redirectTo(to, done);
  const links = broken.slice(0, SHOWN).map(({ id, name }) => ({ text: shorten(name), href: path(`/segments/${id}`) }));
  const rest = broken.length > SHOWN ? [{ text: "and more under Segments", href: path("/segments") }] : [];
  const text = `${done} ${broken.length === 1 ? "This segment is broken now:" : "These segments are broken now:"}`;
  return redirectTo(to, text, [...links, ...rest]);
}
