import { describe, expect, it } from "vitest";
import { type Customer, World } from "../../support/world.ts";

const world = new World();

const names = async (customer: Customer, query: string) =>
  (await customer.call("GET", `/contacts?${query}`)).body.contacts.map((contact: { name: string }) => contact.name);

describe("Number search", () => {
  it("A search for a number finds only texts with the whole number, not texts with its parts", async () => {
    const customer = await world.customer();
    await customer.call("POST", "/contacts/batch", {
      contacts: [
        { phone: "+49301234567", name: "By phone" },
        { phone: "+493012345678", name: "By a longer phone" },
        { email: "x49301234567@example.com", name: "By email" },
        { email: "parts@example.com", name: "01234567 49301" },
        { email: "plus@example.com", name: "Call +49301234567" },
        { email: "written@example.com", name: "Call +49 30 1234567" },
      ],
    });
    const whole = ["Call +49301234567", "By email", "By a longer phone", "By phone"];
    expect(await names(customer, "search=49301234567")).toEqual(whole);
    expect(await names(customer, "search=%2B49301234567")).toEqual(whole);
    expect(await names(customer, "search=%2B49%2030%201234567")).toEqual(["Call +49 30 1234567", ...whole]);
    expect(await names(customer, "search=930123456")).toEqual(whole);
    expect(await names(customer, "search=49301234567&limit=1&offset=2")).toEqual(["By a longer phone"]);
    const { total } = (await customer.call("GET", "/contacts?search=49301234567&include_total=true")).body;
    expect(total).toBe(4);
  });
});
