// The sandbox parts of a connection's page: a form that simulates messages, and the sent messages.
import type { FC } from "hono/jsx";
import type { listOutbox } from "../../../features/sandbox/sandbox.service.ts";
import { Section, LocalTime } from "../../kit/feedback.tsx";
import { type ChosenFile, FileField } from "../../kit/forms/file-field.tsx";
import { Form, SelectField, Submit, TextArea, TextField } from "../../kit/forms/form-fields.tsx";
import { toLabel } from "../../kit/format.ts";
import { useFormState } from "../../kit/forms/forms.ts";
import { Table } from "../../kit/tables.tsx";
import { simulatedKinds } from "./simulated-message.ts";

type Delivery = Awaited<ReturnType<typeof listOutbox>>[number];

interface SimulateProps {
  action: string;
  /** The chosen file by ID. */
  files: ReadonlyMap<string, ChosenFile>;
}

const kindLabels: Partial<Record<(typeof simulatedKinds)[number], string>> = {
  image: "Image",
  voice: "Voice message",
  location: "Place",
  contact: "Contact card",
  button_reply: "Button press",
  list_reply: "List choice",
};

/** Fields by kind. Styles show only the fields of the selected kind. */
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
        help="It arrives like a real message: in the inbox, with a new contact if needed."
      >
        <Form action={action} name="simulate" class="narrow simulate">
          <TextField
            name="from"
            label="From"
            help="A phone number with its country code, or any other ID for someone without a number."
            value="+14155550100"
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
          {/* Not required in HTML: browsers can't report a hidden empty field. */}
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
                { label: "At", cell: ({ at }) => <LocalTime at={at} /> },
              ]}
            />
          )}
        </div>
      </Section>
    </>
  );
};
