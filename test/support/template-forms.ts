import { vi } from "vitest";
import { sandbox } from "../../src/channels/sandbox/sandbox.ts";
import { fileOf, heads, storeFile } from "./media.ts";
import { orderUpdate, providerHolds } from "./provider.ts";
import { findExternalTemplate } from "./templates.ts";
import { type Customer, World } from "./world.ts";

const body = { type: "BODY", text: "Only this week, {{1}}." };

const example = { header_handle: ["4::aW"] };

/** Each message provides the file or location of this header. */
export const headerOf = (format: "IMAGE" | "VIDEO" | "DOCUMENT" | "LOCATION") => ({
  type: "HEADER",
  format,
  ...(format !== "LOCATION" && { example }),
});

export const promotion = [
  headerOf("IMAGE"),
  body,
  { type: "FOOTER", text: "Reply STOP to opt out" },
  {
    type: "BUTTONS",
    buttons: [
      { type: "QUICK_REPLY", text: "More" },
      { type: "URL", text: "Shop now", url: "https://shop.example/{{1}}" },
      { type: "COPY_CODE", example: "SPRING" },
    ],
  },
];

const card = {
  components: [
    headerOf("IMAGE"),
    { type: "BODY", text: "Now at {{1}}." },
    { type: "BUTTONS", buttons: [{ type: "URL", text: "Buy", url: "https://shop.example/{{1}}" }] },
  ],
};

/** Each of the two cards takes an image, a value and the end of a URL. */
export const carousel = [body, { type: "CAROUSEL", cards: [card, card] }];

/** Syncs a template with these components to the official connection of a new customer. */
export async function holding(components: Record<string, unknown>[], category = "MARKETING") {
  const customer = await new World().customer({ channel: "official" });
  return { customer, template: await holdTemplate(customer, components, category) };
}

async function holdTemplate(customer: Customer, components: Record<string, unknown>[], category: string) {
  const provider = providerHolds({ ...orderUpdate, category, components });
  await customer.manage("POST", `/connections/${customer.connectionId}/sync-templates`);
  provider.mockRestore();
  return findExternalTemplate(customer, "sandbox_order_update");
}

export const picture = (customer: Customer, name = "door.png") =>
  storeFile(customer, fileOf(heads["image/png"]), "image/png", `?filename=${name}`);

export const video = (customer: Customer) =>
  storeFile(customer, fileOf(heads["video/mp4"]), "video/mp4", "?filename=a.mp4");

export const filled = { "variables.1": "Bruno", "variables.2": "spring", "variables.3": "SPRING10" };

export const lastSent = () => vi.mocked(sandbox.send).mock.lastCall?.[1].template;
