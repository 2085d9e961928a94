import { beforeEach, describe, expect, it } from "vitest";
import { DAY_MS, HOUR_MS } from "../../src/shared/time/durations.ts";
import { stopClock } from "../support/clock.ts";
import { textOf } from "../support/page-text.ts";
import { costOf } from "../support/storage.ts";
import { type Customer, phoneEnding, World } from "../support/world.ts";

beforeEach(stopClock);

it("The page of unanswered conversations lists all unanswered conversations", async () => {
  const customer = await new World().customer();
  const admin = await customer.member("admin");
  const start = `/console/${customer.workspaceId}/overview`;
  const all = `${start}/waiting`;
  expect(textOf(await admin.get(start))).toContain("No unanswered conversations.");
  expect(textOf(await admin.get(all))).toContain("No unanswered conversations");
  for (let number = 1; number <= 6; number++) {
    customer.world.advance(1000);
    await customer.receive(phoneEnding(`200${number}`), "Hello?", `Person ${number}`);
  }
  const { body } = await admin.get(start);
  expect(body).toContain(`href="${all}"`);
  expect(body).not.toContain(">Person 6</a>");
  const page = await admin.get(all);
  expect(textOf(page)).toMatch(/Person 1 .*Person 6 /s);
  expect(costOf(page)["trips"]).toBe(2); // One query for the session, and one for the list.
  expect((await (await customer.member("agent")).get(all)).status).toBe(403);
});

describe("Opted-out people", () => {
  const person = phoneEnding("1234");

  async function start() {
    const customer = await new World().customer();
    const admin = await customer.member("admin");
    await customer.receive(person, "Hi", "Ada");
    const [{ id, contact }] = (await customer.call("GET", "/conversations")).body.conversations;
    const root = `/console/${customer.workspaceId}`;
    /** Returns whether the overview, the list of unanswered people, the composer and the API allow a reply to Ada. */
    const waits = async () => {
      const overview = textOf(await admin.get(`${root}/overview`));
      const list = textOf(await admin.get(`${root}/overview/waiting`));
      const thread = textOf(await admin.get(`${root}/inbox/${id}`));
      const isWaiting = overview.includes("1 unanswered conversation");
      expect(overview.includes("No unanswered conversations.")).toBe(!isWaiting);
      expect(list.includes("No unanswered conversations")).toBe(!isWaiting);
      expect(thread.includes("This person has unsubscribed.")).toBe(!isWaiting);
      return isWaiting;
    };
    const optOut = (isUnsubscribed: boolean) =>
      customer.call("PATCH", `/contacts/${contact.id}`, { is_unsubscribed: isUnsubscribed });
    return { customer, waits, optOut, id };
  }

  const next = (customer: Customer, text: string) => {
    customer.world.advance(1000);
    return customer.receive(person, text);
  };

  it("A person who opted out does not count as unanswered until the next opt-in", async () => {
    const { waits, optOut } = await start();
    expect(await waits()).toBe(true);
    await optOut(true);
    expect(await waits()).toBe(false);
    await optOut(false);
    expect(await waits()).toBe(true);
  });

  it("A person who wrote after an opt-out counts as unanswered for 24 hours", async () => {
    const { customer, waits, id } = await start();
    await next(customer, "STOP");
    expect(await waits()).toBe(false);
    await next(customer, "Where is my parcel?");
    expect(await waits()).toBe(true);
    customer.world.advance(DAY_MS);
    expect(await waits()).toBe(false);
    expect((await customer.call("POST", `/conversations/${id}/messages`, { text: "Here" })).status).toBe(422);
    await next(customer, "Hello?");
    expect(await waits()).toBe(true);
    await next(customer, "stop");
    expect(await waits()).toBe(false);
  });

  it("The time that a person has waited counts from the first message after an opt-out", async () => {
    const { customer, waits } = await start();
    await next(customer, "STOP");
    customer.world.advance(2 * HOUR_MS);
    await next(customer, "START");
    expect(await waits()).toBe(true);
    const admin = await customer.member("admin");
    expect(textOf(await admin.get(`/console/${customer.workspaceId}/overview`))).not.toContain("over an hour");
  });
});
