import { ProviderError } from "../../channels/channel.ts";
import { loadChannel } from "../../channels/registry.ts";
import { type BaseCtx, type Ctx, forWorkspace } from "../../shared/context.ts";
import { log } from "../../shared/logger.ts";
import { applyConnectionNotice, claimRetests, markReachable } from "./connection-status.sql.ts";
import { findConnection, findWorkspaceOfConnection } from "./connections.sql.ts";
import { openConnection } from "./open-connection.ts";

/** Six tests run at a time, each for at most 8 s. 40 tests therefore end before the next run, a minute later. */
const MAX_TESTS = 40;

async function retestConnection(ctx: Ctx, id: string): Promise<void> {
  const row = await findConnection(ctx, id);
  const channel = row === null ? null : await loadChannel(row.provider);
  if (row === null || channel === null) return;
  try {
    await channel.test(await openConnection(ctx, row), { upstream: ctx.upstream, download: ctx.download });
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    if (error.notice !== null) await applyConnectionNotice(ctx, id, error.notice, ctx.now());
    return;
  }
  await markReachable(ctx, id);
}

/**
 * Tests unreachable connections. The longer the outage, the longer the pause until the next test. `claimRetests` sets
 * the time of the next test first, so that concurrent runs do not test the same connection.
 */
export async function retestConnections(base: BaseCtx, shard: number): Promise<void> {
  const ids = await claimRetests(base.shard(shard), base.now(), MAX_TESTS);
  const tests = ids.map(async (id) => {
    const workspace = await findWorkspaceOfConnection(base, id);
    if (workspace !== null) await retestConnection(forWorkspace(base, workspace), id);
  });
  for (const [index, test] of (await Promise.allSettled(tests)).entries()) {
    if (test.status === "rejected")
      log.error("connection_not_tested", { connectionId: ids[index], error: test.reason });
  }
}
