import { beforeEach, describe, expect, it, vi } from "vitest";
import { countMessages } from "../../src/features/messages/count-messages.ts";
import { stopClock } from "../support/clock.ts";
import { addPeople, started } from "../support/campaigns.ts";
import { contextOf } from "../support/context.ts";
import { textOf } from "../support/page-text.ts";
import { recordedWorld } from "../support/recording.ts";
import { type Answer, type Customer, phoneEnding, World } from "../support/world.ts";

const NOON = Date.UTC(2037, 10, 21, 12);
const DAY = 86_400_000;

beforeEach(() => {
  stopClock();
  vi.setSystemTime(NOON);
});

const overview = async (customer: Customer, role = "admin") =>
  (await customer.member(role)).get(`/console/${customer.workspaceId}/overview`);

/** The rows of the table beside the chart: by day, what stands in its columns. */
function figuresOf({ body }: Answer): Record<string, Record<string, string>> {
  const table = /<caption class="unseen">Messages per day[^]*?<\/table>/.exec(body)?.[0] ?? "";
  const rows = Array.from(table.matchAll(/<tr>(<td[^]*?)<\/tr>/g), ([, row = ""]) =>
    Object.fromEntries(
      Array.from(row.matchAll(/data-label="([^"]*)"[^>]*>([^<]*)/g), ([, name = "", value = ""]) => [name, value]),
    ),
  );
  return Object.fromEntries(rows.map(({ Day: day = "", ...counts }) => [day, counts]));
}

describe("the overview", () => {
  it("counts messages by day and state, in a chart and in a table", async () => {
    const customer = await new World().customer();
    const ada = phoneEnding("1234");
    vi.setSystemTime(NOON - 20 * DAY);
    await customer.send(ada, "Long ago");
    vi.setSystemTime(NOON - 2 * DAY);
    await customer.send(ada);
    await customer.world.settle();
    await customer.receive(ada, "Thanks");
    vi.setSystemTime(NOON);
    await customer.send(phoneEnding("0001"));
    await customer.send(phoneEnding("0004"));
    const page = await overview(customer);
    const figures = figuresOf(page);
    expect(Object.keys(figures)).toHaveLength(14);
    expect(figures["Thu 19 Nov"]).toEqual({ Received: "1", Read: "1", Sent: "0", Failed: "0" });
    expect(figures["Sat 21 Nov"]).toEqual({ Received: "0", Read: "0", Sent: "1", Failed: "1" });
    expect(figures["Fri 20 Nov"]).toEqual({ Received: "0", Read: "0", Sent: "0", Failed: "0" });
    expect(page.body).toMatch(/<svg[^>]*role="img"[^>]*aria-labelledby="chart-title chart-text"/);
    expect(page.body).toContain("Thu 19 Nov: 1 received, 1 read; Sat 21 Nov: 1 sent, 1 failed");
  });

  it("adds the tallies of campaigns to the day they began, and shows those under way", async () => {
    const customer = await new World().customer();
    await addPeople(customer, 3);
    await started(customer, { name: "Spring sale" });
    const before = await overview(customer);
    expect(textOf(before)).toContain("1 running campaign");
    expect(textOf(before)).toMatch(/Spring sale Running 0 of 3/);
    expect(figuresOf(before)["Sat 21 Nov"]).toEqual({ Queued: "3" });

    await customer.world.settle();
    const after = await overview(customer);
    expect(figuresOf(after)["Sat 21 Nov"]).toEqual({ Read: "3" });
    expect(textOf(after)).toContain("No campaign is under way");

    await started(customer, { name: "Later", scheduled_at: new Date(NOON + DAY).toISOString() });
    expect(textOf(await overview(customer))).toMatch(/Later Scheduled begins 22 Nov 2037, 12:00 UTC/);
  });

  it("shows open conversations and the status of connections", async () => {
    const customer = await new World().customer();
    await customer.receive(phoneEnding("1234"), "Where is <it>?", "Ada Okafor");
    const page = await overview(customer);
    expect(textOf(page)).toMatch(/1 open conversation 1 unread 0 running campaigns 1 of 1 connections active/);
    expect(page.body).toMatch(/<a href="[^"]*\/inbox\/cnv_[^"]*">Ada Okafor<\/a>/);
    expect(page.body).toContain("Where is &lt;it&gt;?");
    expect(textOf(page)).toMatch(/Sandbox Sandbox, unofficial Active/);
  });

  it("says what to do when it is empty", async () => {
    const text = textOf(await overview(await new World().customer()));
    for (const said of ["No message in these days", "No open conversations", "No campaign is under way"])
      expect(text).toContain(said);
  });

  it("is for admins, and shows nothing of other workspaces", async () => {
    const world = new World();
    const [mine, theirs] = [await world.customer(), await world.customer()];
    await theirs.receive(phoneEnding("1234"), "Secret", "Zoe Secret");
    await addPeople(theirs, 1);
    await started(theirs, { name: "Hidden" });
    expect((await overview(mine, "agent")).status).toBe(403);
    const text = textOf(await overview(mine));
    expect(text).not.toMatch(/Secret|Hidden/);
    expect(text).toContain("No message in these days");
  });
});

describe("counting messages", () => {
  it("reads at most three rows per message, and no message of other days", async () => {
    const { world, recording } = recordedWorld();
    const customer = await world.customer();
    const to = phoneEnding("0004");
    vi.setSystemTime(NOON - 30 * DAY);
    for (let n = 0; n < 30; n++) await customer.send(to);
    vi.setSystemTime(NOON);
    for (let n = 0; n < 20; n++) await customer.send(to);
    const ctx = await contextOf(customer);
    recording.take();
    const { days } = await countMessages(ctx, 14);
    expect(days.at(-1)?.counts.sent).toBe(20);
    const [ran, ...others] = recording.take();
    expect(others).toEqual([]);
    expect(ran?.rowsRead).toBeLessThanOrEqual(3 * 20 + 5);
  });

  it("stops at a limit, and then says from which day on all messages are counted", async () => {
    const customer = await new World().customer();
    for (let n = 0; n < 6; n++) {
      vi.setSystemTime(NOON - (5 - n) * DAY);
      await customer.send(phoneEnding("0004"));
    }
    const ctx = await contextOf(customer);
    const whole = await countMessages(ctx, 14);
    expect(whole.days.map(({ counts }) => counts.sent)).toEqual([...Array<number>(8).fill(0), 1, 1, 1, 1, 1, 1]);
    expect(whole.completeFrom).toBe(whole.days[0]?.at);
    const cut = await countMessages(ctx, 14, 3);
    expect(cut.days.map(({ counts }) => counts.sent)).toEqual([...Array<number>(11).fill(0), 1, 1, 1]);
    expect(cut.completeFrom).toBe(Date.UTC(2037, 10, 20));
  });
});
