import type { NamedRecord } from "../../../features/campaigns/find-uses.ts";
import { type HandlerResult, redirectTo } from "../../kit/results.ts";
import type { WorkspaceRequest } from "../../kit/request.ts";

/** Limits for the notice's cookie, where a character may need twelve bytes. */
const SHOWN = 5;
const LONGEST = 24;

function shorten(name: string): string {
  const characters = Array.from(name);
  return characters.length > LONGEST ? `${characters.slice(0, LONGEST).join("")}…` : name;
}

/** Redirects with a notice that links to the segments broken by the change. */
export function redirectNamingBrokenSegments(
  { path }: WorkspaceRequest,
  to: string,
  done: string,
  broken: readonly NamedRecord[],
): HandlerResult {
  if (broken.length === 0) return redirectTo(to, done);
  const links = broken.slice(0, SHOWN).map(({ id, name }) => ({ text: shorten(name), href: path(`/segments/${id}`) }));
  const rest = broken.length > SHOWN ? [{ text: "and more under Segments", href: path("/segments") }] : [];
  const text = `${done} ${broken.length === 1 ? "This segment is now broken:" : "These segments are now broken:"}`;
  return redirectTo(to, text, [...links, ...rest]);
}
