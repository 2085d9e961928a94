import { beforeEach, expect, it } from "vitest";
import { stopClock } from "../../../support/clock.ts";
import { phoneEnding, World } from "../../../support/world.ts";

beforeEach(stopClock);

it("A read-only key can preview a merge but not commit it", async () => {
  const customer = await new World().customer();
  const ids: string[] = [];
  for (const phone of [phoneEnding("1001"), phoneEnding("1002")])
    ids.push((await customer.call("POST", "/contacts", { phone })).body.contact.id);
  const [id, from] = ids;
  await customer.manage("PATCH", `/api-keys/${customer.keyId}`, { read_only: true });
  const merge = (body: object) => customer.call("POST", `/contacts/${id}/merge`, body);

  expect(await merge({ from, preview: true })).toMatchObject({ status: 200, body: { contact: { id } } });
  for (const body of [{ from }, { from, preview: false }])
    expect(await merge(body)).toMatchObject({ status: 403, body: { error: { code: "forbidden" } } });
  expect((await customer.call("GET", `/contacts/${from}`)).status).toBe(200);
  expect((await customer.call("POST", `/contacts/${id}/merge/preview`, { from, preview: true })).status).toBe(403);
});
