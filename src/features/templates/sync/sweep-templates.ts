import { type BaseCtx, forWorkspace } from "../../../shared/context.ts";
import { log } from "../../../shared/logger.ts";
import { claimTemplateSyncs, markTemplatesSynced } from "../../connections/template-syncs.sql.ts";
import { findWorkspaceOfConnection } from "../../connections/connections.sql.ts";
import { syncTemplates } from "./sync-templates.ts";

/** The syncs of a minute on one shard. More wait for the next minute, which spreads them over the hour. */
const MAX_SYNCS = 20;

async function syncConnection(base: BaseCtx, id: string): Promise<void> {
  const workspace = await findWorkspaceOfConnection(base, id);
  if (workspace === null) return;
  const ctx = forWorkspace(base, workspace);
  await syncTemplates(ctx, id);
  await markTemplatesSynced(ctx, id);
}

/** Syncs the templates of a shard's official connections each hour, less often the more it fails. Running twice at once syncs each once. */
export async function sweepTemplates(base: BaseCtx, shard: number): Promise<void> {
  const ids = await claimTemplateSyncs(base.shard(shard), base.now(), MAX_SYNCS);
  const syncs = await Promise.allSettled(ids.map((id) => syncConnection(base, id)));
  for (const [index, sync] of syncs.entries()) {
    if (sync.status === "rejected") log.error("template_sync_failed", { connectionId: ids[index], error: sync.reason });
  }
}
