import { describe, expect, expectTypeOf, it } from "vitest";
import type { Contact, Tidings } from "../../../sdk/src/index.ts";
import { failureOf, hastenTime, refusal, startApi } from "./api.ts";

const contacts = (ids: string[], next: string | null) => ({
  json: { success: true, contacts: ids.map((id) => ({ id })), next_cursor: next },
});
const pages = [contacts(["ct_3", "ct_2"], "c1"), contacts([], "c2"), contacts(["ct_1"], null)];

async function idsOf(items: AsyncIterable<{ id: string }>): Promise<string[]> {
  const ids: string[] = [];
  for await (const { id } of items) ids.push(id);
  return ids;
}

describe("Lists", () => {
  it("A loop over a client list reads all pages, even after an empty page, and requests a page only when it is needed", async () => {
    const { requests, tidings } = await startApi(pages);
    const seen: string[] = [];
    for await (const contact of tidings.contacts.list({ search: "ada", offset: 10, limit: 2 })) {
      expectTypeOf(contact).toEqualTypeOf<Contact>();
      seen.push(`${contact.id} after ${requests.length}`);
    }
    expect(seen).toEqual(["ct_3 after 1", "ct_2 after 1", "ct_1 after 3"]);
    expect(requests.map(({ url }) => url)).toEqual([
      "/api/v1/contacts?search=ada&offset=10&limit=2",
      "/api/v1/contacts?search=ada&limit=2&cursor=c1",
      "/api/v1/contacts?search=ada&limit=2&cursor=c2",
    ]);
  });

  it("A client list does not request another page after a loop is left early", async () => {
    const { requests, tidings } = await startApi(pages);
    for await (const contact of tidings.contacts.list()) if (contact.id === "ct_2") break;
    expect(requests).toHaveLength(1);
  });

  it("A client list that is awaited is one page, and pages() returns all pages", async () => {
    const { requests, tidings } = await startApi(pages);
    const list = tidings.contacts.list();
    expect(await list).toMatchObject({ contacts: [{ id: "ct_3" }, { id: "ct_2" }], next_cursor: "c1" });
    const sizes: number[] = [];
    for await (const page of list.pages()) sizes.push(page.contacts.length);
    expect(sizes).toEqual([2, 0, 1]);
    expect(requests).toHaveLength(3);
  });

  it("A client list of events ends at the newest event", async () => {
    const events = (ids: string[], next: string, more: boolean) => ({
      json: { success: true, events: ids.map((id) => ({ id })), next_after: next, has_more: more },
    });
    const { requests, tidings } = await startApi([events(["evt_1"], "evt_1", true), events(["evt_2"], "evt_2", false)]);
    expect(await idsOf(tidings.events.list({ types: "message.*" }))).toEqual(["evt_1", "evt_2"]);
    expect(requests[1]?.url).toBe("/api/v1/events?types=message.*&after=evt_1");
  });

  it.each([
    ["has no cursor", [{ json: { success: true, contacts: [] } }]],
    ["has no items", [{ json: { success: true, next_cursor: null } }]],
    ["leads to itself", [contacts(["ct_1"], "c1")]],
  ])("A client list throws an error if a page %s", async (_, answers) => {
    const { requests, tidings } = await startApi(answers);
    expect(await failureOf(idsOf(tidings.contacts.list()))).toMatchObject({ code: "invalid_response" });
    expect(requests.length).toBeLessThan(3);
  });

  it("A loop over a client list retries a temporary failure of a page, and throws any other failure", async () => {
    hastenTime();
    const { tidings } = await startApi([
      contacts(["ct_1"], "c1"),
      refusal(500, "internal_error"),
      refusal(400, "validation_failed"),
    ]);
    const seen: string[] = [];
    const walk = async (client: Tidings) => {
      for await (const { id } of client.contacts.list()) seen.push(id);
    };
    expect(await failureOf(walk(tidings))).toMatchObject({ code: "validation_failed" });
    expect(seen).toEqual(["ct_1"]);
  });
});
