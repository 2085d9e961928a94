import { expect, test } from "vitest";
import { stopClock } from "../../support/clock.ts";
import { openLivePage } from "../../support/live.ts";
import { type Customer, World } from "../../support/world.ts";

const SESSION_ENDED = 4001;
const MEMBERSHIP_ENDED = 4003;
const ROLE_CHANGED = 4009;

async function twoPages(customer: Customer) {
  const [ada, ben] = [await customer.member("agent", "Ada"), await customer.member("agent", "Ben")];
  const pages = [await openLivePage(ada, customer.workspaceId), await openLivePage(ben, customer.workspaceId)] as const;
  return { ada, ben, pages };
}

test("A removed member's pages receive no further changes, but other members' pages do", async () => {
  const customer = await new World().customer();
  const { ada, pages } = await twoPages(customer);
  await customer.manage("DELETE", `/members/${ada.userId}`);
  expect(await pages[0].closed()).toBe(MEMBERSHIP_ENDED);
  expect(pages[1].closeCode).toBeNull();
});

test("A page reconnects after its member's role has changed", async () => {
  const customer = await new World().customer();
  const { ada, pages } = await twoPages(customer);
  await customer.manage("PATCH", `/members/${ada.userId}`, { role: "admin" });
  expect(await pages[0].closed()).toBe(ROLE_CHANGED);
  expect(pages[1].closeCode).toBeNull();
});

test("Signing out closes the sockets of the session, and signing out everywhere closes those of all sessions", async () => {
  const customer = await new World().customer();
  const { ada, ben, pages } = await twoPages(customer);
  await ada.post("/console/sign-out");
  expect(await pages[0].closed()).toBe(SESSION_ENDED);
  expect(pages[1].closeCode).toBeNull();
  await ben.post("/console/sign-out-everywhere");
  expect(await pages[1].closed()).toBe(SESSION_ENDED);
});

test("A new password closes the sockets of other sessions", async () => {
  const customer = await new World().customer();
  const { ada, ben, pages } = await twoPages(customer);
  await ada.reset(await customer.resetLink(ada.userId), "a new password");
  expect(await pages[0].closed()).toBe(SESSION_ENDED);
  const change = { current_password: "correct horse battery", new_password: "another one", repeated: "another one" };
  await ben.post("/console/password", change);
  expect(await pages[1].closed()).toBe(SESSION_ENDED);
});

test("A socket of an expired session is closed at its next message, or within two minutes", async () => {
  stopClock();
  const world = new World();
  const customer = await world.customer();
  const { pages } = await twoPages(customer);
  world.advance(7 * 86_400_000);
  pages[0].view("cnv_1");
  expect(await pages[0].closed()).toBe(SESSION_ENDED);
  await world.alarms.ringDue();
  expect(await pages[1].closed()).toBe(SESSION_ENDED);
  expect(await world.alarms.list()).toEqual([]);
});

test("The socket of a page that sends no pings is closed", async () => {
  stopClock();
  const world = new World();
  const customer = await world.customer();
  const { pages } = await twoPages(customer);
  world.advance(3 * 60_000);
  pages[1].socket.send("ping");
  await world.alarms.ringDue();
  expect(await pages[0].closed()).toBe(4008);
});
