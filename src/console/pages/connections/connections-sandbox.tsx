import { simulateBody, type SimulatedMessage } from "../../../features/sandbox/sandbox.schemas.ts";
import { AppError, type Fault, invalid } from "../../../shared/errors.ts";
import { readFaults } from "../../kit/forms/faults.ts";
import { parseInput, type SentForm, useFormState } from "../../kit/forms/forms.ts";
import type { FC } from "hono/jsx";
import type { listOutbox } from "../../../features/sandbox/sandbox.service.ts";
import { Section, LocalTime } from "../../kit/feedback.tsx";
import { type ChosenFile, FileField } from "../../kit/forms/file-field.tsx";
import { Form, SelectField, Submit, TextArea, TextField } from "../../kit/forms/form-fields.tsx";
import { toLabel } from "../../kit/format.ts";
import { Table } from "../../kit/tables.tsx";
import { definedFields } from "../../kit/forms/form-body.ts";

const simulatedKinds = [
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

const kindIn = (sent: string | undefined): Kind => simulatedKinds.find((kind) => kind === sent) ?? "text";

function readContent(form: SentForm, kind: Kind): { name: string; group: string; content: unknown } {
  switch (kind) {
    case "text":
      return { name: "text", group: "text", content: form.text("text") };
    case "location": {
      const [latitude, longitude] = [form.number("location.latitude"), form.number("location.longitude")];
      const named = { name: form.text("location.name"), address: form.text("location.address") };
      return { name: "location", group: "location", content: definedFields({ latitude, longitude, ...named }) };
    }
    case "contact": {
      const phone = form.text("contact.phone");
      const name = definedFields({ formatted_name: form.text("contact.name") });
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
        content: definedFields({ id: form.text("reply.id"), title: form.text("reply.title") }),
      };
    case "order": {
      const product = definedFields({
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
      const content = definedFields({ ...file, caption, ...(kind === "voice" && { voice: true }) });
      return { name: kind === "voice" ? "audio" : kind, group: "media", content };
    }
  }
}

/**
 * Moves a fault of the API to the form's field, because some of the fields have other names:
 * `order.products.0.quantity` in the API is `order.quantity` in the form, and `image.caption` is
 * `media.caption`.
 */
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

export function readSimulated(form: SentForm): SimulatedMessage {
  const { name, group, content } = readContent(form, kindIn(form.text("kind")));
  try {
    return parseInput(
      simulateBody,
      definedFields({ from: form.text("from"), name: form.text("name"), [name]: content }),
    );
  } catch (error) {
    const isInvalid = error instanceof AppError && error.code === "validation_failed";
    throw isInvalid ? invalid(readFaults(error).map((fault) => atField(fault, name, group))) : error;
  }
}

type Delivery = Awaited<ReturnType<typeof listOutbox>>[number];

interface SimulateProps {
  action: string;
  files: ReadonlyMap<string, ChosenFile>;
}

const kindLabels: Partial<Record<(typeof simulatedKinds)[number], string>> = {
  image: "Image",
  voice: "Voice message",
  location: "Location",
  contact: "Contact card",
  button_reply: "Button press",
  list_reply: "List choice",
};

const KindFields: FC<Omit<SimulateProps, "action">> = ({ files }) => {
  const state = useFormState();
  return (
    <>
      <div class="of-text">
        <TextArea name="text" label="Message" rows={2} value="Hello, is anybody there?" required />
      </div>
      <div class="of-media">
        <FileField
          name="media.media_id"
          label="File"
          help="Up to 100 MB."
          file={files.get(state.values.get("media.media_id")?.[0] ?? "") ?? null}
        />
        <div class="scriptless">
          <TextField name="media.url" label="File URL" type="url" />
        </div>
        <div class="of-caption">
          <TextField name="media.caption" label="Caption" maxlength={1024} />
        </div>
      </div>
      <div class="of-location">
        <TextField name="location.latitude" label="Latitude" inputmode="decimal" value="52.52" required />
        <TextField name="location.longitude" label="Longitude" inputmode="decimal" value="13.405" required />
        <TextField name="location.name" label="Location name" />
        <TextField name="location.address" label="Address" />
      </div>
      <div class="of-contact">
        <TextField name="contact.name" label="Contact name" value="Bo Example" required />
        <TextField name="contact.phone" label="Contact number" type="tel" value="+14155550111" />
      </div>
      <div class="of-reply">
        <TextField name="reply.id" label="Button or row ID" help="The ID from your message." value="yes" required />
        <TextField name="reply.title" label="Label" value="Yes, please" required />
      </div>
      <div class="of-order">
        <TextField name="order.product_id" label="Product ID" value="tea-1" required />
        <TextField name="order.quantity" label="Quantity" inputmode="numeric" value="2" />
        <TextField name="order.price" label="Unit price" inputmode="decimal" value="4.50" />
        <TextField name="order.currency" label="Currency" maxlength={10} value="EUR" />
      </div>
    </>
  );
};

export const SandboxParts: FC<SimulateProps & { outbox: Delivery[] }> = ({ action, files, outbox }) => {
  return (
    <>
      <Section
        title="Simulate an incoming message"
        help="The message appears in the inbox like a real one. If nobody has this number, it creates a contact."
      >
        <Form action={action} name="simulate" class="narrow simulate">
          <TextField
            name="from"
            label="From"
            help="A phone number with its country code, or any other ID for someone without a number."
            value="+14155550123"
            required
          />
          <TextField name="name" label="Name" value="Alex Example" />
          <SelectField
            name="kind"
            label="Kind"
            required
            value="text"
            options={simulatedKinds.map((kind) => ({ value: kind, label: kindLabels[kind] ?? toLabel(kind) }))}
          />
          <KindFields files={files} />
          {/* The browser must not validate this form. It would refuse to submit it if a hidden field is required
              and empty. */}
          <Submit formnovalidate>Simulate message</Submit>
        </Form>
      </Section>
      <Section title="Outbox" help="Messages sent through this connection, newest first. They reach nobody.">
        <div id="outbox" data-poll="5">
          {outbox.length === 0 ? (
            <p class="help">Nothing sent yet. Reply in the inbox, or send with an API key of this connection.</p>
          ) : (
            <Table
              caption="Messages sent through the sandbox"
              rows={outbox}
              columns={[
                { label: "To", cell: ({ address }) => <span class="whole">{address}</span> },
                { label: "Message", cell: ({ body }) => <span class="cut">{body}</span> },
                { label: "Attempt", align: "end", cell: ({ attempt }) => attempt },
                { label: "Time", cell: ({ at }) => <LocalTime at={at} /> },
              ]}
            />
          )}
        </div>
      </Section>
    </>
  );
};
