import * as z from "zod";
import { fromJson } from "../../src/shared/text/json.ts";
import { contextOf } from "./context.ts";
import type { Customer } from "./world.ts";

export interface LoggedEvent {
  sequence: number;
  actor: string;
  type: string;
  id: string;
  // oxlint-disable-next-line typescript/no-explicit-any -- tests look into values of every shape
  changes: Record<string, [any, any]> | null;
}

const chunks = z.array(
  z.object({
    first: z.number(),
    count: z.number(),
    actor_type: z.string(),
    actor_id: z.string().nullable(),
    body: fromJson(
      z.array(z.tuple([z.string(), z.string(), z.record(z.string(), z.tuple([z.any(), z.any()])).nullable()])),
    ),
  }),
);

export async function chunksOf(customer: Customer): Promise<z.infer<typeof chunks>> {
  const { db, workspace } = await contextOf(customer);
  const { results } = await db.$client
    .prepare("SELECT first, count, actor_type, actor_id, body FROM event_chunks WHERE workspace_id = ? ORDER BY first")
    .bind(workspace.id)
    .all();
  return chunks.parse(results);
}

/** Returns all events, oldest first. Throws if a sequence number is missing. */
export async function readLog(customer: Customer): Promise<LoggedEvent[]> {
  const events = (await chunksOf(customer)).flatMap(({ first, actor_type: type, actor_id: id, body }) =>
    body.map(([name, object, changes], index) => ({
      sequence: first + index,
      actor: id === null ? type : `${type}:${id}`,
      type: name,
      id: object,
      changes,
    })),
  );
  for (const [index, event] of events.entries()) {
    if (event.sequence !== (events[0]?.sequence ?? 1) + index)
      throw new Error(`The log has a gap before ${event.sequence}.`);
  }
  return events;
}

export const readEvents = async (customer: Customer, object: string): Promise<Omit<LoggedEvent, "sequence">[]> =>
  (await readLog(customer))
    .filter(({ type }) => type.startsWith(`${object}.`))
    .map(({ actor, type, id, changes }) => ({ actor, type, id, changes }));

/** Returns the events that `act` logs as `[type, id, changes]`, and how many rows contain them. */
export async function logged(customer: Customer, act: () => Promise<unknown>) {
  const before = (await chunksOf(customer)).length;
  await act();
  const added = (await chunksOf(customer)).slice(before);
  return { events: added.flatMap(({ body }) => body), rows: added.length };
}
