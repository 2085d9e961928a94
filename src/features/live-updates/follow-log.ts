import { fetchRows, transact } from "../../db/statement.ts";
import type { Ctx } from "../../shared/context.ts";
import type { WakeableObject } from "../../shared/wakeable-object.ts";
import { listenForEvents, stopListening } from "../events/listen-for-events.sql.ts";
import type { LoggedChange } from "./live-updates.changes.ts";
import { CHECK_MS, LISTEN_MS, MAX_CHANGES } from "./live-updates.limits.ts";
import type { Progress } from "./live-updates.schemas.ts";
import { selectChanges, selectLogEnd } from "./read-changes.sql.ts";

const listenerOf = ({ workspace }: Ctx): WakeableObject => ["live", workspace.id];

/**
 * The workspace's object is woken for the next ten minutes at least; the end of the log is found where it is not known. No statement
 * runs where the object will be woken for a while yet.
 */
export async function followLog(ctx: Ctx, known: Progress | null): Promise<Progress> {
  const now = ctx.now();
  if (known !== null && known.listensUntil > now + 2 * CHECK_MS) return known;
  const listensUntil = now + LISTEN_MS / 2;
  const { ends } = await transact(ctx.db, {
    listen: listenForEvents(ctx, listenerOf(ctx), { atLeast: listensUntil, until: now + LISTEN_MS }),
    ends: selectLogEnd(ctx),
  });
  const [end] = ends;
  if (end === undefined) throw new Error("The end of a log is always one row.");
  return { ...(known ?? end), listensUntil };
}

/** The object is woken no more. */
export async function leaveLog(ctx: Ctx): Promise<void> {
  await transact(ctx.db, { stop: stopListening(ctx, listenerOf(ctx)) });
}

interface News {
  changes: LoggedChange[];
  /** False where there may be more than `changes`. */
  isWhole: boolean;
  progress: Progress;
}

/** The changes logged since; where they are many, only a part of them, and reading goes on at the end of the log. One statement. */
export async function readNews(ctx: Ctx, known: Progress): Promise<News> {
  const rows = await fetchRows(ctx.db, selectChanges(ctx, known.sequence, MAX_CHANGES));
  const changes = rows.map(({ concerned, ...change }) => ({
    ...change,
    conversation_id: concerned?.conversation_id ?? null,
    contact_id: concerned?.contact_id ?? null,
    campaign_id: concerned?.campaign_id ?? null,
    mentions: concerned?.mentions ?? [],
  }));
  const last = rows.at(-1);
  const progress = last === undefined ? known : { ...known, sequence: last.sequence, at: last.at };
  if (rows.length < MAX_CHANGES) return { changes, isWhole: true, progress };
  const end = await followLog(ctx, null);
  return { changes, isWhole: false, progress: end };
}
