import { beforeEach, describe, expect, it, vi } from "vitest";
import { joinList, splitList } from "../../src/console/pages/contacts/contact-csv.ts";
import { unguardCell } from "../../src/shared/text/csv.ts";
import { spacedPhone } from "../../src/shared/text/phone.ts";
import { addPeople } from "../support/campaigns.ts";
import { stopClock } from "../support/clock.ts";
import { skipWaits } from "../support/waits.ts";
import { type Customer, phoneEnding, World } from "../support/world.ts";

// The first test of a file is slow, because it loads the code for password hashing.
vi.setConfig({ testTimeout: 30_000 });

beforeEach(stopClock);

const at = (customer: Customer, below = "") => `/console/${customer.workspaceId}/contacts/export${below}`;

const BOM = "\ufeff";

const namesIn = (csv: string) => Array.from(csv.matchAll(/^Person (\d+),/gm), ([, number]) => Number(number));

describe("Contact exports", () => {
  it("A contact export is a CSV file with the filtered contacts, their tags and their custom fields", async () => {
    const customer = await new World().customer();
    const admin = await customer.member("admin");
    await customer.call("POST", "/custom-fields", { field_key: "age", label: "Age", type: "number" });
    const options = ["tea", "red, white"];
    await customer.call("POST", "/custom-fields", {
      field_key: "likes",
      label: "Likes",
      type: "multi_select",
      options,
    });
    const phone = phoneEnding("4000");
    await customer.call("POST", "/contacts", {
      name: 'Ada "Countess" Lovelace',
      phone,
      company: "Babbage, Lovelace & Co",
      tags: ["vip", "late; again"],
      custom_fields: { age: -36, likes: options },
    });
    await customer.call("POST", "/contacts", { name: "Grace", email: "grace@example.com" });
    const answer = await admin.get(at(customer, ".csv?tag=vip"));
    expect(answer.headers.get("Content-Type")).toBe("text/csv; charset=utf-8");
    const today = new Date().toISOString().slice(0, 10);
    expect(answer.headers.get("Content-Disposition")).toBe(`attachment; filename="contacts-${today}.csv"`);
    expect(answer.headers.get("Cache-Control")).toBe("no-store");
    const heads =
      "name,phone,email,company,address_as,status,lifecycle_stage,source,is_unsubscribed,marketing_opt_out,tags,age,likes,created_at,updated_at";
    const line =
      `"Ada ""Countess"" Lovelace",${spacedPhone(phone)},,"Babbage, Lovelace & Co",,new,lead,api,false,false,` +
      `"vip, ""late; again""",-36,"tea, ""red, white""",`;
    const lines: string[] = answer.body.split("\r\n");
    expect(lines[0]?.replace(BOM, "")).toBe(heads);
    expect(lines[1]?.startsWith(line)).toBe(true);
    expect(lines.slice(2)).toEqual([""]);
  });

  it("A contact export writes phone numbers with spaces and without an apostrophe", async () => {
    const customer = await new World().customer();
    const admin = await customer.member("admin");
    await customer.call("POST", "/custom-fields", { field_key: "mobile", label: "Mobile", type: "phone" });
    await customer.call("POST", "/contacts", { phone: "+14155550100", custom_fields: { mobile: "+491705550100" } });
    const { body } = await admin.get(at(customer, ".csv"));
    expect(body).toContain(",+1 415 555 0100,");
    expect(body).toContain(",+49 170 5550100,");
    expect(body).not.toContain("'");
  });

  it("A contact export begins with the UTF-8 byte order mark", async () => {
    const customer = await new World().customer();
    const admin = await customer.member("admin");
    const cookie = `__Host-tidings=${admin.cookies.get("tidings")}`;
    const answer = await customer.world.secure(at(customer, ".csv"), { headers: { Cookie: cookie } });
    expect(Array.from(new Uint8Array(await answer.arrayBuffer()).slice(0, 4))).toEqual([0xef, 0xbb, 0xbf, 0x6e]);
  });

  it("A contact export contains no cell that a spreadsheet would run as a formula", async () => {
    const customer = await new World().customer();
    const admin = await customer.member("admin");
    const names = ["=1+1", "+1", "-1", "@SUM(A1)", "'=1", "＝1", "Plain 'quote"];
    for (const [index, name] of names.entries())
      await customer.call("POST", "/contacts", { name, email: `${index}@example.com` });
    const { body } = await admin.get(at(customer, ".csv"));
    const cells: string[] = body
      .trim()
      .split("\r\n")
      .slice(1)
      .map((line: string) => line.split(",")[0]);
    expect(cells.toReversed()).toEqual(["'=1+1", "'+1", "'-1", "'@SUM(A1)", "''=1", "'＝1", "Plain 'quote"]);
    expect(cells.toReversed().map(unguardCell)).toEqual(names);
    expect(unguardCell('="+14155550100"')).toBe("+14155550100"); // some programs write a cell in this way
  });

  it("A contact export reads contacts in batches, and contains all of them", { tags: "long" }, async () => {
    const customer = await new World().customer();
    const admin = await customer.member("admin");
    await addPeople(customer, 2300, 1);
    const answer = await admin.get(at(customer, ".csv"));
    expect(namesIn(answer.body)).toEqual(Array.from({ length: 2300 }, (_, index) => 2300 - index));
    const page = await admin.get(at(customer));
    expect(page.body).toContain("Download 2,300 contacts");
    const part = await admin.get(at(customer, "/part"));
    expect(part.body).toMatchObject({ count: 2300, next_cursor: null });
    expect(part.body.head + part.body.csv).toBe(answer.body.startsWith(BOM) ? answer.body : BOM + answer.body);
    expect(part.headers.get("Server-Timing")).toMatch(/trips=[1-9]/);
  });

  it(
    "The second part of a contact export continues after the last contact of the first part",
    { tags: "long" },
    async () => {
      const customer = await new World().customer();
      const admin = await customer.member("admin");
      await addPeople(customer, 5003, 1);
      const first = (await admin.get(at(customer, "/part"))).body;
      const second = (await admin.get(at(customer, `/part?cursor=${first.next_cursor}`))).body;
      expect([first.count, second.count, second.next_cursor]).toEqual([5000, 3, null]);
      expect(namesIn(first.csv + second.csv)).toEqual(Array.from({ length: 5003 }, (_, index) => 5003 - index));
    },
  );

  it("While another workspace is active, an export pauses after each read for three times as long as the read", async () => {
    const world = new World();
    const [customer, other] = [await world.customer(), await world.customer()];
    const admin = await customer.member("admin");
    await addPeople(customer, 500, 1);
    const { waited } = skipWaits();
    await other.call("GET", "/me");
    expect((await admin.get(at(customer, "/part"))).body.count).toBe(500);
    // Per contact, a read takes 0.1 ms, and the pause after the read takes three times as long. The clock is stopped
    // during reads.
    expect(waited.reduce((sum, ms) => sum + ms, 0)).toBeGreaterThanOrEqual(4 * 0.1 * 500);
  });

  it("Agents cannot see, open or download a contact export", async () => {
    const customer = await new World().customer();
    await customer.call("POST", "/contacts", { name: "Ada", email: "ada@example.com" });
    const [agent, admin] = [await customer.member("agent"), await customer.member("admin")];
    const list = `/console/${customer.workspaceId}/contacts`;
    expect((await admin.get(list)).body).toContain("Export contacts");
    const page = await agent.get(list);
    expect(page.body).toContain("ada<wbr/>@example.com");
    expect(page.body).not.toContain("/contacts/export");
    for (const below of ["", ".csv", "/part"]) {
      const refused = await agent.get(at(customer, below));
      expect(refused.status, below).toBe(403);
      expect(refused.body).toContain("Access denied");
      expect(refused.body).not.toContain("ada@example.com");
    }
    const asked = await agent.request("GET", at(customer, "/part"), undefined, {
      headers: { Accept: "application/json" },
    });
    expect(asked).toMatchObject({ status: 403, body: { error: { code: "forbidden" } } });
  });

  it("A contact export reports an empty result, and is rejected in another workspace", async () => {
    const world = new World();
    const [mine, theirs] = [await world.customer(), await world.customer()];
    const admin = await mine.member("admin");
    expect((await admin.get(at(mine))).body).toContain("Nothing to export");
    for (const below of ["", ".csv", "/part"]) expect((await admin.get(at(theirs, below))).status).toBe(403);
    expect((await admin.get(at(mine, ".csv?cursor=elsewhere"))).status).toBe(400);
  });
});

describe("Cells with several values", () => {
  it("A list in an exported cell is imported as the same list", () => {
    for (const list of [[], ["vip"], ["vip", "red, white"], ["a;b", 'say "hi"', "plain"], ['"', ","]])
      expect(splitList(joinList(list))).toEqual(list);
    expect(splitList(' vip ;  "lead, new" , , 5" screen')).toEqual(["vip", "lead, new", '5" screen']);
  });
});
