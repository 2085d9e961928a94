import { idsOf } from "../rebuild.ts";
import type { Answer } from "../world.ts";
import { providerActs } from "./provider-acts.ts";
import { type Act, NAMES, PHONES, type Picker, type Scene, TEXTS } from "./scene.ts";

const EMAILS = ["ann@x.com", "bo@x.com", "Cy@X.com"];
const TAGS = ["VIP", "new", "Old"];

export const fields = [
  { field_key: "plan", label: "Plan", type: "text" },
  { field_key: "color", label: "Color", type: "select", options: ["red", "blue", "green"] },
  { field_key: "sizes", label: "Sizes", type: "multi_select", options: ["s", "m", "l"] },
];

/**
 * Repeats the request if its response was lost, and sometimes even if it was not. Only some requests have an
 * Idempotency-Key.
 */
async function request(
  { customer }: Scene,
  pick: Picker,
  method: string,
  path: string,
  body?: unknown,
): Promise<Answer> {
  const isKeyed = method === "POST" && pick.happens(0.6);
  const ask = isKeyed ? { headers: { "Idempotency-Key": crypto.randomUUID() } } : {};
  const repeats = pick.happens(0.2) || isKeyed;
  const answer = await customer.call(method, path, body, ask);
  if (repeats && (answer.status >= 500 || pick.happens(0.3))) return customer.call(method, path, body, ask);
  return answer;
}

/** Prefers recent ids, so that several actions affect the same record. */
async function anyId({ customer }: Scene, pick: Picker, table: string): Promise<string> {
  const ids = await idsOf(customer, table);
  return pick.of([
    ...(pick.happens(0.7) ? ids.slice(-4) : ids),
    ...(pick.happens(0.1) || ids.length === 0 ? ["none"] : []),
  ]);
}

const customFields = (pick: Picker) =>
  pick.some({
    plan: pick.of(["x", "y", null]),
    color: pick.of(["red", "blue", "green", null]),
    sizes: pick.of([["s"], ["s", "m"], ["m", "l"], null]),
  });

const contactFields = (pick: Picker) => ({
  ...pick.some({
    name: pick.of(NAMES),
    company: pick.of(["Acme", null]),
    status: pick.of(["active", "new"]),
    tags: [pick.of(TAGS), pick.of(TAGS)],
    is_unsubscribed: pick.happens(0.4),
  }),
  custom_fields: customFields(pick),
});

const newContact = (pick: Picker) => ({
  ...contactFields(pick),
  ...pick.some({ update: false }, 0.1),
  ...pick.of<() => object>([
    () => ({ phone: pick.of(PHONES) }),
    () => ({ email: pick.of(EMAILS) }),
    () => ({ phone: pick.of(PHONES), email: pick.of(EMAILS) }),
  ])(),
});

const campaignVerb: Act = async (scene, pick) =>
  request(
    scene,
    pick,
    "POST",
    `/campaigns/${await anyId(scene, pick, "campaigns")}/${pick.of(["pause", "resume", "resume", "cancel"])}`,
  );

export const acts = {
  upsert: (scene, pick) => request(scene, pick, "POST", "/contacts", newContact(pick)),
  batch: (scene, pick) =>
    request(scene, pick, "POST", "/contacts/batch", {
      contacts: Array.from({ length: 2 + pick.below(4) }, () => newContact(pick)),
    }),
  patch: async (scene, pick) =>
    request(scene, pick, "PATCH", `/contacts/${await anyId(scene, pick, "contacts")}`, {
      ...contactFields(pick),
      ...pick.some({ phone: pick.of([...PHONES, null]), email: pick.of([...EMAILS, null]) }),
    }),
  archive: async (scene, pick) => request(scene, pick, "DELETE", `/contacts/${await anyId(scene, pick, "contacts")}`),
  restore: async (scene, pick) =>
    request(scene, pick, "POST", `/contacts/${await anyId(scene, pick, "contacts")}/restore`),
  ...providerActs,
  conversation: async (scene, pick) =>
    request(scene, pick, "PATCH", `/conversations/${await anyId(scene, pick, "conversations")}`, {
      status: pick.of(["done", "open"]),
    }),
  read: async (scene, pick) =>
    request(scene, pick, "POST", `/conversations/${await anyId(scene, pick, "conversations")}/read`),
  reply: async (scene, pick) =>
    request(scene, pick, "POST", `/conversations/${await anyId(scene, pick, "conversations")}/messages`, {
      text: pick.of(TEXTS),
    }),
  send: (scene, pick) => request(scene, pick, "POST", "/messages", { to: pick.of(PHONES), text: pick.of(TEXTS) }),
  template: (scene, pick) =>
    request(scene, pick, "POST", `/templates/${scene.templateId}/send`, { to: pick.of(PHONES), variables: ["you"] }),
  campaign: (scene, pick) =>
    request(scene, pick, "POST", "/campaigns", {
      template_id: scene.templateId,
      channel: "unofficial",
      ...pick.some({ filter_tags: [pick.of(TAGS)] }),
      ...pick.some({ scheduled_at: new Date(Date.now() + pick.below(180_000) + 1000).toISOString() }, 0.3),
      ...pick.some({ send_before: new Date(Date.now() + 200_000 + pick.below(100_000)).toISOString() }, 0.2),
      variables: ["{{name|you}}"],
    }),
  campaignVerb,
  providerDown: ({ accidents }) => {
    accidents.isProviderDown = !accidents.isProviderDown;
    return Promise.resolve();
  },
  tag: async (scene, pick) => {
    const path = `/tags/${await anyId(scene, pick, "tags")}`;
    return pick.happens(0.5)
      ? request(scene, pick, "DELETE", path)
      : request(scene, pick, "PATCH", path, { name: pick.of(TAGS) });
  },
  field: async (scene, pick) => {
    const path = `/custom-fields/${await anyId(scene, pick, "custom_fields")}`;
    if (pick.happens(0.3)) return request(scene, pick, "DELETE", path);
    return request(scene, pick, "PATCH", path, { options: pick.of([["red", "blue"], ["s", "m"], ["m"], ["red"]]) });
  },
  newField: (scene, pick) => request(scene, pick, "POST", "/custom-fields", pick.of(fields)),
} satisfies Record<string, Act>;
