import { messageFrom } from "./provider-events.ts";
import { readLog } from "./read-log.ts";
import { onShard } from "./storage.ts";
import type { Answer, Customer } from "./world.ts";

export const parts = (type: string, content: unknown, more: object = {}) => ({ type, content, ...more });
export const file = (more: object = {}) => ({
  id: "m1",
  url: null,
  mimeType: "image/jpeg",
  filename: null,
  sha256: null,
  ...more,
});

export const reactionTo = (from: object, keys: string[], emoji: string, at = Date.now()) => ({
  ...messageFrom(from, `[reaction] ${emoji}`, at),
  parts: parts("reaction", { emoji }, { replyTo: keys }),
});

export async function storedOf(customer: Customer): Promise<Answer["body"][]> {
  const rows = await onShard(
    customer,
    "SELECT * FROM messages WHERE workspace_id = ? ORDER BY id",
    customer.workspaceId,
  );
  return rows.map((row) => ({
    ...row,
    content: typeof row["content"] === "string" ? JSON.parse(row["content"]) : null,
  }));
}

export const filesOf = (customer: Customer) =>
  onShard(customer, "SELECT * FROM media WHERE workspace_id = ?", customer.workspaceId);

export const waitingIn = (customer: Customer) =>
  onShard(customer, "SELECT * FROM message_revisions WHERE workspace_id = ?", customer.workspaceId);

export const reactionEvents = async (customer: Customer) =>
  (await readLog(customer)).filter(({ type }) => type === "message.reaction");
