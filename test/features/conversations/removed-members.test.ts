import { beforeEach, describe, expect, it } from "vitest";
import { stopClock } from "../../support/clock.ts";
import { onShard } from "../../support/storage.ts";
import { World } from "../../support/world.ts";

beforeEach(stopClock);

describe("Removed members", () => {
  it("If a conversation is assigned to a member while the member is being removed, it ends up unassigned", async () => {
    const customer = await new World().customer();
    await customer.receive("+4915112345678", "Hello");
    const [{ id }] = (await customer.call("GET", "/conversations")).body.conversations;
    const { userId } = await customer.member("agent");
    await customer.manage("DELETE", `/members/${userId}`);
    await onShard(customer, "UPDATE conversations SET assignee_id = ? WHERE id = ?", userId, id);
    customer.world.advance(61_000);
    await customer.world.cron();
    const { conversation } = (await customer.call("GET", `/conversations/${id}`)).body;
    expect(conversation.assignee).toBeNull();
  });
});
