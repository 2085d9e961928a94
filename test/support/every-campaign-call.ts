import { once } from "./every-call.ts";
import { onShard } from "./storage.ts";
import { type Customer, phoneEnding } from "./world.ts";

/** Uses every action of campaigns, so that each SQL statement runs. */
export async function useCampaigns(customer: Customer): Promise<void> {
  const { world } = customer;
  const template_id = (await customer.call("POST", "/templates", { name: "News", body: "Hi {{name}}" })).body.template
    .id;
  const filter = { match: "any", conditions: [{ field: "tags", op: "has_any", value: ["Local"] }] };
  const contacts = ["0001", "0002", "0003", "1234", "1235"].map((ending) => ({
    phone: phoneEnding(ending),
    name: "Ann",
    tags: ["Local"],
  }));
  const made = (await customer.call("POST", "/contacts/batch", { contacts })).body.results;
  const segment_id = (await customer.call("POST", "/segments", { name: "Local", filter })).body.segment.id;
  const plain = { template_id, channel: "unofficial", filter_tags: ["Local"] };
  const filtered = { ...plain, filter_tags_mode: "any", filter_status: "new", segment_id };
  const start = async (fields: object, options: object = {}): Promise<string> =>
    `/campaigns/${(await customer.call("POST", "/campaigns", { ...plain, ...fields }, options)).body.campaign_id}`;
  for (const body of [plain, filtered]) await customer.call("POST", "/campaigns/preview", body);

  // The sandbox accepts, rejects, retries or loses a message, depending on the end of the number.
  const sent = await start(filtered, once());
  await world.settle({ withinMs: 2500 });
  await customer.call("PATCH", `/contacts/${made[3].contact_id}`, { phone: phoneEnding("1236") });
  await world.settle();
  // The lower `answered` makes the cron look for unsettled leases.
  await onShard(customer, "UPDATE campaigns SET answered = answered - 1 WHERE id = ?", sent.split("/").at(-1));
  await world.cron();
  await world.settle();
  const setStatus = (status: string) =>
    onShard(customer, "UPDATE connections SET status = ? WHERE id = ?", status, customer.connectionId);
  const stopped = await start({});
  await setStatus("error");
  await world.settle();
  await setStatus("active");
  await customer.call("POST", `${stopped}/cancel`);

  const retried = await start({});
  await world.settle({ withinMs: 2500 });
  for (const verb of ["pause", "resume", "cancel"]) {
    await customer.call("POST", `${retried}/${verb}`, undefined, once());
    await customer.call("POST", `${retried}/${verb}`);
  }
  const later = { scheduled_at: new Date(Date.now() + 3_600_000).toISOString() };
  const missed = await start(later);
  await start({ ...later, send_before: new Date(Date.now() + 7_200_000).toISOString() });
  world.advance(48 * 3_600_000);
  await world.cron();
  await world.settle();
  await customer.call("GET", missed);

  await useDrafts(customer, sent);
  for (const query of ["", "?state=read", "?state=pending&limit=1", "?limit=1"]) {
    const { next_cursor: cursor } = (await customer.call("GET", `${sent}/recipients${query}`)).body;
    if (cursor !== null) await customer.call("GET", `${sent}/recipients?limit=1&cursor=${cursor}`);
  }
  await customer.call("GET", "/campaigns");
  const { next_cursor: more } = (await customer.call("GET", "/campaigns?limit=1")).body;
  await customer.call("GET", `/campaigns?limit=1&cursor=${more}`);
  await customer.manage("POST", `${sent}/reconcile`);

  // The sandbox loses the responses for these numbers. After ten in a row, the cron tests the connection.
  const away = Array.from({ length: 40 }, () => ({ phone: phoneEnding("0003"), name: "Ann", tags: ["Away"] }));
  await customer.call("POST", "/contacts/batch", { contacts: away });
  await start({ filter_tags: ["Away"] });
  await world.settle();
  world.advance(60_000);
  await world.cron();
  // Later campaigns send through this connection.
  await customer.manage("POST", `/connections/${customer.connectionId}/test`);
}

async function useDrafts(customer: Customer, source: string): Promise<void> {
  await customer.call("GET", `${source}/recipients.csv`);
  const scheduled_at = new Date(Date.now() + 3_600_000).toISOString();
  for (const [options, times] of [[once, { scheduled_at }] as const, [() => ({}), {}] as const]) {
    const { campaign } = (await customer.call("POST", `${source}/duplicate`, undefined, options())).body;
    const draft = `/campaigns/${campaign.campaign_id}`;
    await customer.call("PATCH", draft, { name: "Copy", segment_id: null, ...times }, options());
    await customer.call("POST", `${draft}/test`, { to: phoneEnding("1234") }, options());
    await customer.call("POST", `${draft}/preview`);
    await customer.call("POST", `${draft}/start`, {}, options());
    if (options === once) await customer.call("PATCH", draft, { name: "Later" });
  }
  await customer.world.settle();
}
