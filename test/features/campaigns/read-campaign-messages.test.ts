import { beforeEach, describe, expect, it } from "vitest";
import { presentMessage } from "../../../src/features/messages/messages.views.ts";
import { getMessage } from "../../../src/features/messages/messages.service.ts";
import { state } from "../../../src/features/messages/messages.states.ts";
import { stopClock } from "../../support/clock.ts";
import { contextOf } from "../../support/context.ts";
import { type Campaign, expand, phones, settleLease } from "../../support/recipients.ts";
import { onShard } from "../../support/storage.ts";
import { type Answer, type Customer, phoneEnding, World } from "../../support/world.ts";

beforeEach(stopClock);

const error = { code: "undeliverable", message: "No.", providerCode: "1" } as const;

/** Inserts a campaign whose leases contain `claimed` recipients. `rest` is the reason to skip the others. */
const addCampaign = (customer: Customer, { id }: Campaign, claimed: number, rest: "cancelled" | "expired" | null) =>
  onShard(
    customer,
    `INSERT INTO campaigns (id, workspace_id, workspace_number, name, template_id, channel, connection_id, status, audience,
       variables, recipient_count, claimed, rest, created_at)
     VALUES (?, ?, 0, 'Sale', 'tpl_1', 'unofficial', ?, 'cancelled', '{}', '{}', 0, ?, ?, 0)`,
    id,
    customer.workspaceId,
    customer.connectionId,
    claimed,
    rest,
  );

describe("Campaign messages in histories", () => {
  it("A conversation's history contains campaign messages that were or might have been sent, in pages", async () => {
    const customer = await new World().customer();
    const to = phoneEnding("1234");
    await customer.receive(to, "Hi");
    const sent = { address: to, body: "Sale!", templateForm: null };
    const attempts = [
      { outcome: { kind: "accepted", providerMessageId: "p" }, sent },
      { outcome: { kind: "refused", error }, sent },
      { outcome: { kind: "lost", error }, sent },
      { outcome: { kind: "retry", error } },
      { outcome: { kind: "skipped", reason: "expired" } },
    ] as const;
    for (const each of attempts) {
      customer.world.advance(1000);
      await settleLease(customer, (await expand(customer, [to])).recipients, () => each);
    }
    await expand(customer, [to]);
    const [conversation] = (await customer.call("GET", "/conversations")).body.conversations;
    const path = `/conversations/${conversation.id}/messages`;
    const deliveries = ({ body }: Answer) => body.messages.map(({ delivery }: Answer["body"]) => delivery);
    expect(deliveries(await customer.call("GET", path))).toEqual(["unknown", "failed", "sent", "delivered"]);
    const first = await customer.call("GET", `${path}?limit=2`);
    const second = await customer.call("GET", `${path}?limit=2&cursor=${first.body.next_cursor}`);
    expect([deliveries(first), deliveries(second), second.body.next_cursor]).toEqual([
      ["unknown", "failed"],
      ["sent", "delivered"],
      null,
    ]);
  });
});

describe("Campaign messages by id", () => {
  const answers = (customer: Customer, { recipients }: Campaign) =>
    Promise.all(
      recipients.map(async ({ id }) => {
        const { body } = await customer.call("GET", `/messages/${id}`);
        return body.message?.delivery ?? body.error.code;
      }),
    );

  it("A campaign message is found by its id, and is `queued` while it waits", async () => {
    const customer = await new World().customer();
    const campaign = await expand(customer, phones(2), [state.queued, state.claimed]);
    await addCampaign(customer, campaign, 0, null);
    expect(await answers(customer, campaign)).toEqual(["queued", "queued"]);
    expect(await customer.message(campaign.recipients[0]?.id ?? "")).toMatchObject({
      campaign_id: campaign.id,
      body: "",
      error: null,
      sent_at: null,
    });
  });

  it.each(["unsubscribed", "archived", "duplicate", "missing_variable", "too_long", "expired", "cancelled"] as const)(
    "A skipped campaign message is not found by its id: %s",
    async (reason) => {
      const customer = await new World().customer();
      const campaign = await expand(customer, phones(1));
      await settleLease(customer, campaign.recipients, () => ({ outcome: { kind: "skipped", reason } }));
      expect(await answers(customer, campaign)).toEqual(["not_found"]);
    },
  );

  it.each(["cancelled", "expired"] as const)(
    "A campaign message is not found by its id if its campaign is %s before the send",
    async (rest) => {
      const customer = await new World().customer();
      const campaign = await expand(customer, phones(5));
      await settleLease(customer, campaign.recipients.slice(0, 2), (_, index) => ({
        outcome: index === 0 ? { kind: "accepted", providerMessageId: "p" } : { kind: "retry", error },
      }));
      await addCampaign(customer, campaign, 3, rest);
      expect(await answers(customer, campaign)).toEqual(["sent", "not_found", "queued", "not_found", "not_found"]);
    },
  );

  it("A campaign message is not found in another workspace", async () => {
    const world = new World();
    const [owner, , stranger] = [await world.customer(), await world.customer(), await world.customer()];
    expect(await answers(stranger, await expand(owner, phones(1)))).toEqual(["not_found"]);
  });
});

describe("Message errors", () => {
  it("The error of a message is always a documented code, whatever was stored", async () => {
    const customer = await new World().customer();
    const { recipients } = await expand(customer, phones(1));
    const id = recipients[0]?.id ?? "";
    await settleLease(customer, recipients, () => ({ outcome: { kind: "refused", error } }));
    await onShard(customer, "UPDATE messages SET error_code = 'forgotten', error_message = NULL WHERE id = ?", id);
    const record = await getMessage(await contextOf(customer), id);
    for (const stored of [state.failed, state.skipped]) {
      expect(presentMessage({ ...record, state: stored })).toMatchObject({
        delivery: "failed",
        error: { code: "provider_rejected", message: "" },
      });
    }
    expect((await customer.message(id)).error).toEqual({ code: "provider_rejected", message: "", provider_code: "1" });
  });
});
