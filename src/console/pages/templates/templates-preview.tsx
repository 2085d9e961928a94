import type { FC } from "hono/jsx";
import { sampleFields } from "../../../features/contacts/contact-fields.schemas.ts";
import type { ContactRecord } from "../../../features/contacts/contacts.schemas.ts";
import { contactValues } from "../../../features/contacts/contacts.values.ts";
import type { CustomFieldRecord } from "../../../features/custom-fields/custom-fields.schemas.ts";
import type { FieldType } from "../../../features/custom-fields/custom-fields.values.ts";
import { isBlank, parseBody, type TextPieces, render } from "../../../features/templates/model/render-text.ts";
import type { Ctx } from "../../../shared/context.ts";
import { Section } from "../../kit/feedback.tsx";
import { listAllCustomFields } from "../choices.ts";

const sampleValues = {
  text: () => "a text",
  number: () => 42,
  boolean: () => true,
  date: () => "2026-01-31",
  datetime: () => "2026-01-31T09:30:00.000Z",
  select: ([first]) => first,
  multi_select: (options) => options.slice(0, 2),
  country: () => "BR",
  url: () => "https://example.com",
  email: () => "alex@example.com",
  phone: () => "+14155550100",
} satisfies Record<FieldType, (options: string[]) => unknown>;

const sampleContact: ContactRecord = {
  id: "ct_sample",
  ...sampleFields,
  is_unsubscribed: 0,
  marketing_opt_out: 0,
  is_archived: 0,
  tags: [],
  custom_fields: {},
  external_ids: [],
  created_at: 0,
  updated_at: 0,
  revision: null,
};

const sampleValue = ({ number, type, options }: CustomFieldRecord) =>
  [String(number), sampleValues[type](options)] as const;

export async function loadSampleValues(ctx: Ctx): Promise<Map<string, string | null>> {
  const fields = await listAllCustomFields(ctx);
  const layout = fields.map(({ number, field_key: key, type, removed_options: removed }) => ({
    number,
    key,
    type,
    removed,
  }));
  const contact = { ...sampleContact, custom_fields: Object.fromEntries(fields.map(sampleValue)) };
  // Built-in fields come first.
  return new Map([...contactValues(contact, []), ...contactValues(contact, layout)]);
}

type SampleValues = ReadonlyMap<string, string | null>;

/** A text with marked variables; variables without a value show as written. */
export const FilledText: FC<{ pieces: TextPieces; sample: SampleValues }> = ({ pieces, sample }) => (
  <p class="message-preview">
    {pieces.map((piece) => {
      if (typeof piece === "string") return piece;
      const { text, missing } = render([piece], (name) => sample.get(name));
      return missing.length === 0 ? <mark>{text}</mark> : <mark class="missing">{`{{${piece.name}}}`}</mark>;
    })}
  </p>
);

export const TemplatePreview: FC<{ body: string; sample: SampleValues }> = ({ body, sample }) => {
  const { pieces, faults } = parseBody(body);
  const { missing } = render(pieces, (name) => sample.get(name));
  return (
    <Section id="preview" title="Preview">
      {isBlank(body) && <p class="help">Start writing to see the message here.</p>}
      {faults.map(({ message }) => (
        <p class="fault">{message}</p>
      ))}
      {!isBlank(body) && faults.length === 0 && <FilledText pieces={pieces} sample={sample} />}
      {faults.length === 0 && missing.length > 0 && (
        <p class="help">
          Contacts have no value for {missing.map((name) => `{{${name}}}`).join(", ")}. You provide it when you send the
          template.
        </p>
      )}
    </Section>
  );
};

export const VariableHelp: FC<{ sample: SampleValues }> = ({ sample }) => (
  <Section
    title="Variables"
    help={
      <>
        <code>{"{{name}}"}</code> becomes the contact's name. <code>{"{{first_name|there}}"}</code> becomes “there” if
        the contact has no first name. Without a fallback, the message is not sent. You provide the values of{" "}
        <code>{"{{1}}"}</code>, <code>{"{{2}}"}</code> and of names that are not contact fields.
      </>
    }
  >
    <dl class="facts variables">
      {Array.from(sample, ([name, value]) => (
        <div>
          <dt>
            <code>{`{{${name}}}`}</code>
          </dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  </Section>
);
