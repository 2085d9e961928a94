// Reads the form that simulates a message.
import { simulateBody, type SimulatedMessage } from "../../../features/sandbox/sandbox.schemas.ts";
import { AppError, type Fault, invalid } from "../../../shared/errors.ts";
import { readFaults } from "../../kit/forms/faults.ts";
import { parseInput, type SentForm } from "../../kit/forms/forms.ts";

/** The kinds that the form supports. */
export const simulatedKinds = [
  "text",
  "image",
  "video",
  "voice",
  "document",
  "sticker",
  "location",
  "contact",
  "button_reply",
  "list_reply",
  "order",
] as const;

type Kind = (typeof simulatedKinds)[number];

/** Defaults to text. */
const kindIn = (sent: string | undefined): Kind => simulatedKinds.find((kind) => kind === sent) ?? "text";

const filled = (fields: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));

/** The content's API name, and its form fields. */
function readContent(form: SentForm, kind: Kind): { name: string; group: string; content: unknown } {
  switch (kind) {
    case "text":
      return { name: "text", group: "text", content: form.text("text") };
    case "location": {
      const [latitude, longitude] = [form.number("location.latitude"), form.number("location.longitude")];
      const named = { name: form.text("location.name"), address: form.text("location.address") };
      return { name: "location", group: "location", content: filled({ latitude, longitude, ...named }) };
    }
    case "contact": {
      const phone = form.text("contact.phone");
      const name = filled({ formatted_name: form.text("contact.name") });
      return {
        name: "contacts",
        group: "contact",
        content: [{ name, phones: phone === undefined ? [] : [{ phone }] }],
      };
    }
    case "button_reply":
    case "list_reply":
      return {
        name: kind,
        group: "reply",
        content: filled({ id: form.text("reply.id"), title: form.text("reply.title") }),
      };
    case "order": {
      const product = filled({
        product_id: form.text("order.product_id"),
        quantity: form.number("order.quantity"),
        price: form.number("order.price"),
        currency: form.text("order.currency"),
      });
      return { name: "order", group: "order", content: { products: [product] } };
    }
    case "image":
    case "video":
    case "voice":
    case "document":
    case "sticker": {
      const file = { media_id: form.text("media.media_id"), url: form.text("media.url") };
      const caption = kind === "voice" || kind === "sticker" ? undefined : form.text("media.caption");
      const content = filled({ ...file, caption, ...(kind === "voice" && { voice: true }) });
      return { name: kind === "voice" ? "audio" : kind, group: "media", content };
    }
  }
}

/** `order.products.0.quantity` is the field `order.quantity`, and `image.caption` is `media.caption`. */
function atField(fault: Fault, name: string, group: string): Fault {
  if (fault.path === `${name}.media_id` && fault.code === "required")
    return { ...fault, path: "media.media_id", message: "Choose a file." };
  if (!fault.path.startsWith(`${name}.`)) return fault;
  const path = fault.path
    .slice(name.length + 1)
    .replace(/^products\.0\./, "")
    .replace(/^0\.name\.formatted_name$/, "name")
    .replace(/^0\.phones\.0\.phone$/, "phone");
  return { ...fault, path: `${group}.${path}` };
}

/** Throws `validation_failed` with paths of form fields. */
export function readSimulated(form: SentForm): SimulatedMessage {
  const { name, group, content } = readContent(form, kindIn(form.text("kind")));
  try {
    return parseInput(simulateBody, filled({ from: form.text("from"), name: form.text("name"), [name]: content }));
  } catch (error) {
    const isInvalid = error instanceof AppError && error.code === "validation_failed";
    throw isInvalid ? invalid(readFaults(error).map((fault) => atField(fault, name, group))) : error;
  }
}
