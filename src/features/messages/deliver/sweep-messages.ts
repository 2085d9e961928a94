import type { BaseCtx } from "../../../shared/context.ts";
import { numberOfSeq } from "../../contacts/contacts.sql.ts";
import { pointerTo } from "../messages.schemas.ts";
import { abandonClaims, strandedLines } from "./sweep-messages.sql.ts";

const CLAIM_MS = 120_000;
/** Longer than a run right after the answer may take to get to a message. */
const GRACE_MS = 15_000;
const LIMIT = 5000;

/** Finds what a process that died left behind on a shard. Twice does nothing twice. */
export async function sweepMessages(base: BaseCtx, shard: number): Promise<void> {
  const db = base.shard(shard);
  await abandonClaims(db, base.now() - CLAIM_MS);
  const lines = await strandedLines(db, base.now() - GRACE_MS, LIMIT);
  await base.queues.direct(
    lines.map(({ workspace_id, contact_seq, connection_id }) =>
      pointerTo(
        { id: workspace_id, number: numberOfSeq(contact_seq), shard },
        { contactSeq: contact_seq, connectionId: connection_id },
      ),
    ),
  );
}
