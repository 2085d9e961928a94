import { type BaseCtx, forWorkspace } from "../../../shared/context.ts";
import { log } from "../../../shared/logger.ts";
import { claimTemplateSyncs, markTemplatesSynced } from "../../connections/template-syncs.sql.ts";
import { findWorkspaceOfConnection } from "../../connections/connections.sql.ts";
import { syncTemplates } from "./sync-templates.ts";

/** Syncs per minute and shard. The limit spreads the syncs over the hour. */
const MAX_SYNCS = 20;

async function syncConnection(base: BaseCtx, id: string): Promise<void> {
  const workspace = await findWorkspaceOfConnection(base, id);
  if (workspace === null) return;
  const ctx = forWorkspace(base, workspace);
  await syncTemplates(ctx, id);
  await markTemplatesSynced(ctx, id);
}

/**
 * Syncs the templates of a shard's official connections hourly, less often after failures. Parallel runs sync each connection once.
 */
export async function sweepTemplates(base: BaseCtx, shard: number): Promise<void> {
  const ids = await claimTemplateSyncs(base.shard(shard), base.now(), MAX_SYNCS);
  const syncs = await Promise.allSettled(ids.map((id) => syncConnection(base, id)));
  for (const [index, sync] of syncs.entries()) {
    if (sync.status === "rejected") log.error("template_sync_failed", { connectionId: ids[index], error: sync.reason });
  }
}
