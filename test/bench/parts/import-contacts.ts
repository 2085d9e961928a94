import { createExecutionContext, waitOnExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { expect } from "vitest";
import worker from "../../../src/index.ts";
import { type Crowd, insertInto, person } from "./many-contacts.ts";
import { cpuMs, Table } from "./report.ts";

const BATCHES = 20;
const ROWS = 500;
/** Added to a person's number, so that the phone differs from all generated contacts. */
const FAR = 5_000_000;
/** A table without unique keys and without search. */
const PLAIN = "bare_contacts";
/** A batch has a transaction per 15 contacts, so that others wait less, and each takes about 2 ms by itself. */
const MIN_SHARE = 0.2;

interface Way {
  name: string;
  importRows(first: number): Promise<void>;
  ms: number;
  cpu: number;
}

/**
 * Stores the same people with `POST /contacts/batch` and with plain SQL, in turns, so that the machine is equally busy
 * for both.
 */
export async function measureImport(crowd: Crowd, filled: number): Promise<void> {
  const { customer } = crowd;
  await env.DB.prepare(`CREATE TABLE ${PLAIN} AS SELECT * FROM contacts LIMIT 0`).run();
  const bare = (table: string) => async (first: number) => {
    const rows = JSON.stringify(crowd.rows(first, first + ROWS - 1));
    await env.DB.prepare(insertInto(table)).bind(customer.workspaceId, Date.now(), rows).run();
  };
  const post = async (first: number) => {
    const contacts = Array.from({ length: ROWS }, (_, index) => person(first + index, "Globex"));
    const headers = { Authorization: `Bearer ${customer.key}`, "Content-Type": "application/json" };
    const body = JSON.stringify({ contacts });
    const ctx = createExecutionContext();
    const request = new Request("http://tidings.test/api/v1/contacts/batch", { method: "POST", headers, body });
    const answer = await (await worker.fetch(request, env, ctx)).json<{ counts: object }>();
    await waitOnExecutionContext(ctx);
    expect(answer.counts).toEqual({ created: ROWS, updated: 0, unchanged: 0, failed: 0 });
  };
  const way = (name: string, importRows: Way["importRows"]): Way => ({ name, importRows, ms: 0, cpu: 0 });
  const product = way("POST /contacts/batch of 500", post);
  const ways = [
    product,
    way("bare INSERT … SELECT FROM json_each, the same table", bare("contacts")),
    way("bare INSERT … SELECT FROM json_each, no keys, no search", bare(PLAIN)),
  ];
  for (let batch = -1; batch < BATCHES; batch++) {
    for (const [turn, each] of ways.entries()) {
      const before = { ms: performance.now(), cpu: await cpuMs() };
      await each.importRows(FAR + ((batch + 1) * ways.length + turn) * ROWS);
      if (batch < 0) continue;
      each.ms += performance.now() - before.ms;
      each.cpu += (await cpuMs()) - before.cpu;
    }
  }
  const contacts = BATCHES * ROWS;
  const table = new Table(
    `Sustained import of ${contacts} contacts into a workspace of ${filled}, ways in turn in one run`,
    ["way", "contacts a second", "CPU ms a contact", "its CPU against ours"],
  );
  for (const each of ways) {
    // Not the time, because a workspace rests between the parts of a batch.
    const share = each.cpu / product.cpu;
    const budget = each === ways[1] ? `≥ ${MIN_SHARE}` : "";
    table.add(
      [each.name, ((contacts / each.ms) * 1000).toFixed(0), (each.cpu / contacts).toFixed(3), share.toFixed(2)],
      budget,
      budget === "" ? null : share >= MIN_SHARE,
    );
  }
  await table.show();
  await env.DB.prepare(`DROP TABLE ${PLAIN}`).run();
}
