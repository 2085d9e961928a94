// Values of conversations that are lost where two become one, as the one who asks for the merge is told. Pure.
import { iso } from "../../shared/iso-times.ts";

/** Values of two conversations that the one they become does not have. */
export interface ConversationLoss {
  labels: string[];
  /** ms since the epoch. */
  snoozedUntil: number | null;
  assigneeId: string | null;
  assigneeName: string | null;
}

/** The values by field, without fields that lose none. A contact may lose several assignees, one a connection. */
export function reportConversationLosses(losses: readonly ConversationLoss[]): Record<string, unknown> {
  const labels = [...new Set(losses.flatMap((loss) => loss.labels))];
  const snoozes = losses.flatMap(({ snoozedUntil }) => snoozedUntil ?? []);
  const assignees = new Map(
    losses.flatMap(({ assigneeId: id, assigneeName: name }) => (id === null ? [] : [[id, { id, name: name ?? "" }]])),
  );
  return {
    ...(labels.length > 0 && { labels }),
    ...(snoozes.length > 0 && { snoozed_until: iso(Math.max(...snoozes)) }),
    ...(assignees.size > 0 && { assignees: [...assignees.values()] }),
  };
}
