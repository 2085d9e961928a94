import { beforeEach, expect, it } from "vitest";
import { stopClock } from "../support/clock.ts";
import { textOf } from "../support/page-text.ts";
import { costOf } from "../support/storage.ts";
import { phoneEnding, World } from "../support/world.ts";

beforeEach(stopClock);

it("All who wait for an answer are listed on a page of their own, where the overview has no room for them", async () => {
  const customer = await new World().customer();
  const admin = await customer.member("admin");
  const start = `/console/${customer.workspaceId}/overview`;
  const all = `${start}/waiting`;
  expect(textOf(await admin.get(start))).toContain("Nobody waits for an answer.");
  expect(textOf(await admin.get(all))).toContain("Nobody waits for an answer");
  for (let number = 1; number <= 6; number++) {
    customer.world.advance(1000);
    await customer.receive(phoneEnding(`200${number}`), "Hello?", `Person ${number}`);
  }
  const { body } = await admin.get(start);
  expect(body).toContain(`href="${all}"`);
  expect(body).not.toContain(">Person 6</a>");
  const page = await admin.get(all);
  expect(textOf(page)).toMatch(/Person 1 .*Person 6 /s);
  expect(costOf(page)["trips"]).toBe(2); // the session, and the list
  expect((await (await customer.member("agent")).get(all)).status).toBe(403);
});
