import { transact } from "../../db/statement.ts";
import type { BaseCtx } from "../../shared/context.ts";
import { endSnoozesOf } from "./end-snoozes.sql.ts";

/** Conversations a minute and shard. The next run ends the others; lists show them meanwhile. */
const SNOOZES_PER_RUN = 1000;

/** Opens conversations whose snooze is over, so that the end of a snooze is an event. */
export async function endSnoozes(base: BaseCtx, shard: number): Promise<void> {
  await transact(base.shard(shard), { snoozes: endSnoozesOf(base.now(), SNOOZES_PER_RUN) });
}
