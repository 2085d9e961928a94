import { env as bindings } from "cloudflare:workers";
import { expect } from "vitest";
import type { Customer } from "./world.ts";

export const turnsOf = ({ workspaceId }: Customer) => bindings.SCAN_TURNS.getByName(workspaceId);

/** The turns of batches of messages. */
export const messageTurnsOf = ({ workspaceId }: Customer) => bindings.SCAN_TURNS.getByName(`${workspaceId} messages`);

export async function holdTurn(customer: Customer, id = "held", turns = turnsOf(customer)): Promise<void> {
  const request = { id, owner: "somebody", waitMs: 0, question: null };
  expect(await turns.take(request)).toEqual({ outcome: "granted" });
}

/**
 * Takes the turn and adds as many waiting requests as an owner may have, so that the next one is rejected. `leave`
 * ends the turn and all waiting requests.
 */
export async function crowd(
  customer: Customer,
  owner = customer.keyId,
  turns = turnsOf(customer),
): Promise<{ leave(): Promise<void> }> {
  await holdTurn(customer, "held", turns);
  const waiting = Array.from({ length: 20 }, async (_, n) => {
    await turns.take({ id: `${owner} ${n}`, owner, waitMs: 3_600_000, question: null });
    await turns.end(`${owner} ${n}`, null);
  });
  expect(await turns.renew("held")).toBe(true);
  return {
    async leave() {
      await turns.end("held", null);
      await Promise.all(waiting);
    },
  };
}
