// Says which segments no longer work once a change is made.
import type { Named } from "../../../features/campaigns/find-uses.ts";
import { type Answer, go } from "../../kit/answers.ts";
import type { WorkspaceVisit } from "../../kit/visit.ts";

/** What fits into the cookie that carries the notice, also where every letter takes twelve bytes there. */
const SHOWN = 5;
const LONGEST = 24;

function shorten(name: string): string {
  const characters = Array.from(name);
  return characters.length > LONGEST ? `${characters.slice(0, LONGEST).join("")}…` : name;
}

/** To a page that says what is done, and names the segments that are broken by it, each with a link. */
export function goWithBroken({ path }: WorkspaceVisit, to: string, done: string, broken: readonly Named[]): Answer {
  if (broken.length === 0) return go(to, done);
  const links = broken.slice(0, SHOWN).map(({ id, name }) => ({ text: shorten(name), href: path(`/segments/${id}`) }));
  const rest = broken.length > SHOWN ? [{ text: "and more under Segments", href: path("/segments") }] : [];
  const text = `${done} ${broken.length === 1 ? "This segment is broken now:" : "These segments are broken now:"}`;
  return go(to, text, [...links, ...rest]);
}
