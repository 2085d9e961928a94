import { createServer } from "node:http";
import { z } from "zod";
import { eventually } from "../../process/service.ts";
import type { Workspace } from "./people.ts";

const made = z.object({ webhook: z.object({ id: z.string() }), secret: z.string() });
const shown = z.object({ webhook: z.object({ status: z.string(), last_success_at: z.string().nullable() }) });
const events = z.object({ events: z.array(z.object({ id: z.string() })) });

/** A local server. `/gone` returns 410, `/busy` returns 503, and every other path returns 200. */
export async function startReceiver(): Promise<{ url: string; close(): void }> {
  const server = createServer((request, response) => {
    request.resume();
    const status = request.url === "/gone" ? 410 : request.url === "/busy" ? 503 : 200;
    response.writeHead(status).end(status === 200 ? "Thank you" : "Come back later, or never");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("There is no port.");
  return { url: `http://127.0.0.1:${address.port}`, close: () => server.close() };
}

/** Creates three webhooks (working, failing, disabled) and an event. */
export async function furnishWebhooks(workspace: Workspace) {
  const receiver = await startReceiver();
  const create = async (path: string, settings: object) =>
    made.parse(await workspace.call("POST", "/webhooks", { url: receiver.url + path, types: ["*"], ...settings }))
      .webhook.id;
  const working = await create("/orders", {
    description: "Orders of the web shop",
    types: ["webhook.*", "message.received", "message.failed", "contact.*"],
    connection_ids: [workspace.connectionId],
    batch: { max_events: 50, max_wait_seconds: 0 },
  });
  const disabled = await create("/gone", {});
  const failing = await create("/busy", { types: ["webhook.updated"] });
  await workspace.call("PATCH", `/webhooks/${failing}`, { description: "Reports" });
  const state = async (id: string) => shown.parse(await workspace.call("GET", `/webhooks/${id}`)).webhook;
  await eventually("The end of a webhook that is gone", 20_000, async () =>
    (await state(disabled)).status === "disabled" ? true : null,
  );
  await eventually("A delivery", 20_000, async () => (await state(working)).last_success_at);
  receiver.close();
  const log = events.parse(await workspace.call("GET", "/events?types=webhook.created"));
  return { working, disabled, event: log.events[0]?.id ?? "" };
}
