import { ProviderError } from "../../channels/channel.ts";
import { channelOf } from "../../channels/registry.ts";
import { type BaseCtx, type Ctx, forWorkspace } from "../../shared/context.ts";
import { log } from "../../shared/logger.ts";
import { find, findWorkspaceOf } from "./connections.sql.ts";
import { applyNotice, openConnection } from "./connections.service.ts";
import { claimRetests, lift } from "./retest-connections.sql.ts";

/** Tests of a minute and shard: six at a time that take 8 s each at most are done before the next minute. */
const MAX_TESTS = 40;

/** Asks the provider again. An answer makes the connection active, or tells what else is wrong with it. */
async function retest(ctx: Ctx, id: string): Promise<void> {
  const row = await find(ctx, id);
  const channel = row === null ? null : channelOf(row.provider);
  if (row === null || channel === null) return;
  try {
    await channel.test(await openConnection(ctx, row), { upstream: ctx.upstream });
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    if (error.notice !== null) await applyNotice(ctx, id, error.notice, ctx.now());
    return;
  }
  await lift(ctx, id);
}

/** Tests the connections of a shard whose providers could not be reached, less often the longer that is so. Twice does nothing twice. */
export async function retestConnections(base: BaseCtx, shard: number): Promise<void> {
  const ids = await claimRetests(base.shard(shard), base.now(), MAX_TESTS);
  const tests = ids.map(async (id) => {
    const workspace = await findWorkspaceOf(base, id);
    if (workspace !== null) await retest(forWorkspace(base, workspace), id);
  });
  for (const [index, test] of (await Promise.allSettled(tests)).entries()) {
    if (test.status === "rejected")
      log.error("connection_not_tested", { connectionId: ids[index], error: test.reason });
  }
}
