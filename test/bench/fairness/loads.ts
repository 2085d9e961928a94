// The work of a busy workspace. No two requests of a load are equal, so that no response is cached.
import { setTimeout as sleep } from "node:timers/promises";
import { z } from "zod";
import { personOf, type Sent, type Workspace } from "./workspaces.ts";

export interface WorkLoad {
  name: string;
  /** Requests at the same time. */
  atOnce: number;
  next(index: number): Promise<Sent>;
  /** Loads without a budget show the costs of the one local thread. */
  hasBudget: boolean;
}

const made = z.object({ id: z.string() });

/** As an MCP client calls it. */
const toolCall = (name: string, args: object, id: number) => ({
  jsonrpc: "2.0",
  id,
  method: "tools/call",
  params: { name, arguments: args },
});

const POLL_MS = 250;
const MESSAGES = 100;
const DAY_MS = 86_400_000;

export async function loadsOf(busy: Workspace, contacts: number): Promise<WorkLoad[]> {
  const segments: string[] = [];
  for (let n = 0; n < 100; n++) {
    const condition = { field: "email", op: "contains", value: `person${n}` };
    const filter = { match: "all", conditions: [condition, { field: "tags", op: "has_any", value: ["VIP"] }] };
    const body = { name: `Segment ${n}`, filter };
    segments.push((await busy.read("POST", "/segments", z.object({ segment: made }), body)).segment.id);
  }
  const segmentOf = (n: number) => segments[n % segments.length] ?? "";
  const template = await busy.read("POST", "/templates", z.object({ template: made }), {
    name: "Hi",
    body: "Hi {{name|you}}",
  });
  const order = (n: number) => ({
    template_id: template.template.id,
    channel: "unofficial",
    segment_id: segmentOf(n),
  });
  const importRows = () => {
    const rows = busy.newPeople().map(({ name, phone, email }) => [name, phone, email]);
    return { mapping: ["name", "phone", "email"], rows, tag: "" };
  };
  // Messages of next month, so that their delivery is not part of the load.
  const later = (n: number) => ({
    messages: Array.from({ length: MESSAGES }, (_, index) => ({
      to: personOf((n * MESSAGES + index) % contacts).phone,
      text: `Hello ${n}`,
      send_at: new Date(Date.now() + 30 * DAY_MS).toISOString(),
    })),
  });
  const search = (n: number) => `/contacts?search=person${n % contacts}`;
  const load = (name: string, atOnce: number, next: WorkLoad["next"], hasBudget = true) => {
    return { name, atOnce, next, hasBudget };
  };
  const tags = () => busy.call("GET", "/tags");
  return [
    load("1 GET /tags", 1, tags, false),
    load("10 GET /tags", 10, tags, false),
    load("20 GET /tags", 20, tags, false),
    load("8 batches of 500, new", 8, () => busy.call("POST", "/contacts/batch", { contacts: busy.newPeople() })),
    load("1 batch of 500, new", 1, () => busy.call("POST", "/contacts/batch", { contacts: busy.newPeople() })),
    load("8 batches of 100 messages", 8, (n) => busy.call("POST", "/messages/batch", later(n))),
    load("10 segment counts", 10, (n) => busy.call("GET", `/segments/${segmentOf(n)}/count`)),
    load("20 searches", 20, (n) => busy.call("GET", search(n))),
    load("20 searches that never meet", 20, () => busy.call("GET", "/contacts?search=example&source=nowhere")),
    load("campaign preview", 1, (n) => busy.call("POST", "/campaigns/preview", order(n))),
    load("import of 20,000", 1, () => busy.page("POST", "/contacts/import/rows", importRows())),
    load("export", 1, () => busy.page("GET", "/contacts/export/part")),
    load("bulk tag of 20,000", 1, (n) => tagEverybody(busy, n)),
    load("10 MCP searches", 10, (n) =>
      busy.call("POST", "/mcp", toolCall("contacts_list", { search: `person${n}` }, n)),
    ),
  ];
}

const job = z.object({ job: z.object({ id: z.string(), status: z.string() }) });

async function tagEverybody(busy: Workspace, n: number): Promise<Sent> {
  const body = { filter: { archived: false }, action: "add_tags", tags: [`Bulk ${n}`] };
  const started = await busy.read("POST", "/contacts/bulk", job, body);
  for (;;) {
    await sleep(POLL_MS);
    const answer = await busy.call("GET", `/jobs/${started.job.id}`);
    if (job.parse(JSON.parse(answer.text)).job.status !== "running") return answer;
  }
}
