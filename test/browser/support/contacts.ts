import { z } from "zod";
import type { Workspace } from "./people.ts";

const made = z.object({ id: z.string() });

export async function stockContacts(
  workspace: Workspace,
): Promise<{ contactId: string; segmentId: string; brokenId: string }> {
  const call = (method: string, path: string, body?: object) => workspace.call(method, path, body);
  for (const field of [
    { field_key: "birthday", label: "Birthday", type: "date" },
    { field_key: "home", label: "Home country", type: "country" },
    { field_key: "likes", label: "Likes", type: "multi_select", options: ["Tea", "Coffee", "Red, white or rosé wine"] },
    { field_key: "score", label: "Score", type: "number" },
  ])
    await call("POST", "/custom-fields", field);
  const people = [
    { name: "Ada Okafor", status: "hot", tags: ["vip", "newsletter", "spring campaign"] },
    { name: "Bruno Lima", status: "warm", tags: ["newsletter"] },
    { name: "Chiyo Watanabe-Montgomery of Northumberland", status: "cold", tags: [] },
    { name: "Dana Nowak", status: "active", tags: ["to be deleted"], is_unsubscribed: true },
  ];
  const contacts = people.map((person, index) => ({
    ...person,
    phone: `+1415555010${index + 1}`,
    email: `${person.name.split(" ")[0]?.toLowerCase()}@example.com`,
    company: "Analytical Engines & Sons",
    custom_fields: { birthday: "1990-12-10", home: "BR", likes: ["Tea", "Red, white or rosé wine"], score: 12.5 },
  }));
  await call("POST", "/contacts/batch", { contacts });
  const { contacts: found } = z.object({ contacts: z.array(made) }).parse(await call("GET", "/contacts?search=okafor"));
  const segment = async (name: string, conditions: object[]) => {
    const answer = await call("POST", "/segments", { name, filter: { match: "all", conditions } });
    return z.object({ segment: made }).parse(answer).segment.id;
  };
  const group = {
    match: "any",
    conditions: [
      { field: "status", op: "in", value: ["hot", "warm"] },
      { field: "custom_fields.score", op: "between", value: [10, 20] },
      { field: "created_at", op: "within_days", value: 30 },
    ],
  };
  const segmentId = await segment("Readers who are warm", [
    { field: "tags", op: "has_any", value: ["newsletter"] },
    group,
  ]);
  const brokenId = await segment("Asks for a deleted tag", [
    { field: "tags", op: "has_all", value: ["to be deleted"] },
  ]);
  const { tags } = z.object({ tags: z.array(made.extend({ name: z.string() })) }).parse(await call("GET", "/tags"));
  await call("DELETE", `/tags/${tags.find(({ name }) => name === "to be deleted")?.id}`);
  return { contactId: found[0]?.id ?? "", segmentId, brokenId };
}
