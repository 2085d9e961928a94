import { beforeEach, describe, expect, it } from "vitest";
import { stopClock } from "../support/alarms.ts";
import { customerWith } from "../support/campaigns.ts";
import { crowd } from "../support/scans.ts";
import { costOf, onShard } from "../support/storage.ts";
import { type Customer } from "../support/world.ts";

beforeEach(stopClock);

describe("a search among very many contacts", () => {
  /** Contacts of which the even ones are hot, the odd ones have the source "fair", and every 10,000th is called Rare. */
  async function crowded(people = 60_000): Promise<Customer> {
    const { customer } = await customerWith(people);
    const folded = `json_object('name', iif(n % 10000 = 1, 'rare one', 'person'), 'name_words', '', 'source_token', ?2)`;
    await customer.call("POST", "/contacts", { email: "token@example.com", source: "fair", status: "cold" });
    const [{ token = null } = {}] = await onShard(
      customer,
      "SELECT folded ->> 'source_token' AS token FROM contacts WHERE workspace_id = ? AND source = 'fair'",
      customer.workspaceId,
    );
    await onShard(customer, "DELETE FROM contacts WHERE workspace_id = ? AND source = 'fair'", customer.workspaceId);
    await onShard(
      customer,
      `UPDATE contacts SET status = iif(n % 2 = 0, 'hot', 'new'), source = iif(n % 2 = 1, 'fair', 'api'),
         name = iif(n % 10000 = 1, 'Rare One', name), folded = iif(n % 2 = 1, ${folded}, '{"name":"person"}')
       FROM (SELECT seq AS s, seq % 4294967296 AS n FROM contacts WHERE workspace_id = ?1) WHERE seq = s`,
      customer.workspaceId,
      token,
    );
    return customer;
  }

  it("is answered in one trip where the newest fill the page, and in a few short ones where filters never meet", async () => {
    const customer = await crowded();
    const ask = (query: string) => customer.call("GET", `/contacts?${query}`);
    const dense = await ask("status=hot&limit=20");
    expect([dense.body.contacts.length, costOf(dense).trips]).toEqual([20, 1]);

    expect((await ask("source=fair")).body.contacts).toHaveLength(20);
    const never = await ask("status=hot&source=fair");
    expect(never.body).toMatchObject({ contacts: [], next_cursor: null, has_more: false });
    expect(costOf(never).trips).toBe(2);
    expect(costOf(never).rows_read).toBeLessThan(100);

    const rare = await ask("search=rare&limit=4");
    expect(rare.body.contacts.map(({ name }: { name: string }) => name)).toEqual(Array(4).fill("Rare One"));
    const rest = await ask(`search=rare&limit=4&cursor=${rare.body.next_cursor}`);
    expect(rest.body).toMatchObject({ contacts: [{ name: "Rare One" }, { name: "Rare One" }], next_cursor: null });

    const byOffset = await ask("search=rare&limit=2&offset=4");
    expect(byOffset.body.contacts).toEqual(rest.body.contacts);
    expect(byOffset.body.has_more).toBe(false);
    expect((await ask("search=rare&limit=2&offset=6")).body.contacts).toEqual([]);

    expect((await ask("status=hot&limit=1&include_total=true")).body.total).toBe(30_000);
    expect((await ask("limit=1&include_total=true")).body.total).toBe(60_000);
    expect((await ask("status=hot&source=fair&include_total=true")).body.total).toBe(0);

    const others = await crowd(customer);
    expect((await ask("status=hot&source=fair")).status).toBe(429);
    expect((await ask("status=hot&limit=1")).status).toBe(200);
    await others.leave();
  }, 120_000);
});
