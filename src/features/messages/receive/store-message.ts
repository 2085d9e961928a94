import { type SQL, transact } from "../../../db/statement.ts";
import type { Ctx } from "../../../shared/context.ts";
import type { PersonIdentifiers } from "../../contacts/identify-people.sql.ts";
import { retryAfterMerging } from "./merge-contacts.ts";
import { applyRevisions, selectWaitingRevision } from "./receive-revision.sql.ts";

interface ProviderMessage {
  connectionId: string;
  providerKey: string;
  person: PersonIdentifiers;
}

/** Stores a message of a provider in one batch, then applies the edits and the deletion of it that arrived before it. */
export async function storeMessage(
  ctx: Ctx,
  { connectionId, providerKey, person }: ProviderMessage,
  statements: SQL[],
): Promise<void> {
  const { waiting } = await retryAfterMerging(ctx, connectionId, person, () =>
    transact(ctx.db, { statements, waiting: selectWaitingRevision(connectionId, providerKey) }),
  );
  if (waiting.length > 0) await applyRevisions(ctx, connectionId, providerKey);
}
