import type { listOutbox } from "../../../features/sandbox/sandbox.service.ts";
import { Section, LocalTime } from "../../kit/feedback.tsx";
import { Form, Submit, TextArea, TextField } from "../../kit/form-fields.tsx";
import type { FormState } from "../../kit/forms.ts";
import { Table } from "../../kit/tables.tsx";

type Delivery = Awaited<ReturnType<typeof listOutbox>>[number];

/** The extra parts of a sandbox connection, which let a person play the contact. */
export const SandboxParts = ({ action, state, outbox }: { action: string; state: FormState; outbox: Delivery[] }) => (
  <>
    <Section
      title="Simulate an incoming message"
      help="It arrives as a real one would: in the inbox, with a contact made where there is none."
    >
      <Form action={action} state={state} class="narrow">
        <TextField
          name="from"
          label="From"
          help="A phone number, with the country's code."
          value="+14155550100"
          required
          state={state}
        />
        <TextField name="name" label="Name" value="Alex Example" state={state} />
        <TextArea name="text" label="Message" rows={2} value="Hello, is anybody there?" required state={state} />
        <Submit>Play it</Submit>
      </Form>
    </Section>
    <Section title="Outbox" help="What was sent through this connection, latest first. Nobody else got it.">
      <div id="outbox" data-poll="5">
        {outbox.length === 0 ? (
          <p class="help">Nothing yet. Reply in the inbox, or send with an API key of this connection.</p>
        ) : (
          <Table
            caption="Latest messages that the sandbox was handed"
            rows={outbox}
            columns={[
              { label: "To", cell: ({ address }) => address },
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
