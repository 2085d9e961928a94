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
 * Registers the workspace's object as a listener for at least ten minutes. Without a known position, starts at the current end of
 * the log. Makes no query while an earlier registration lasts.
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

/** Ends the registration of `followLog`. */
export async function leaveLog(ctx: Ctx): Promise<void> {
  await transact(ctx.db, { stop: stopListening(ctx, listenerOf(ctx)) });
}

interface NewChanges {
  changes: LoggedChange[];
  /** False if there are more changes than in `changes`. */
  isComplete: boolean;
  progress: Progress;
}

/**
 * The changes logged since `known`. If there are too many, only the first are read, and the next read starts at the end of the log.
 */
export async function readNewChanges(ctx: Ctx, known: Progress): Promise<NewChanges> {
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
  if (rows.length < MAX_CHANGES) return { changes, isComplete: true, progress };
  const end = await followLog(ctx, null);
  return { changes, isComplete: false, progress: end };
}
