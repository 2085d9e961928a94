// The test form, or why a test is impossible.
import type { FC } from "hono/jsx";
import * as z from "zod";
import type { Connection } from "../../../features/connections/connections.schemas.ts";
import { testTemplateBody } from "../../../features/messages/messages.schemas.ts";
import { parseTemplate } from "../../../features/templates/model/parse-template.ts";
import { describeMissing, fitsConnection } from "../../../features/templates/templates.fitting.ts";
import type { TextPieces } from "../../../features/templates/model/render-text.ts";
import type { TemplateRecord } from "../../../features/templates/templates.schemas.ts";
import { Form, SelectField, Submit, TextField } from "../../kit/forms/form-fields.tsx";
import { providerFacts } from "../../../channels/providers.ts";
import { BubblePreview, PreviewButton } from "../messages/template/template-bubble.tsx";
import { describePlace, TemplateHeaderField, TemplatePartFields } from "../messages/template/template-fields.tsx";
import type { TemplateFiles } from "../messages/template/template-files.ts";

/** Connections that can send a template. */
export const fittingConnections = (template: TemplateRecord, connections: Connection[]): Connection[] =>
  connections.filter((connection) => fitsConnection(template, connection));

type Sample = ReadonlyMap<string, string | null>;

interface TestProps {
  /** Path of the template's page. */
  at: string;
  template: TemplateRecord;
  sample: Sample;
  files: TemplateFiles;
  ways: Connection[];
}

/** True if only the sender can provide the variable. */
const isOpen = (name: string, pieces: TextPieces, sample: Sample): boolean =>
  !sample.has(name) &&
  !pieces.some((piece) => typeof piece !== "string" && piece.name === name && piece.fallback !== null);

export const TestForm: FC<TestProps> = ({ at, template, sample, files, ways }) => {
  const pieces = parseTemplate(template).body;
  return (
    <Form action={`${at}/send`} class="narrow">
      {/* Enter presses a form's first button. */}
      <button type="submit" hidden tabindex={-1}>
        Send test
      </button>
      <SelectField
        name="connection_id"
        label="Through"
        options={ways.map(({ id, name, provider }) => ({
          value: id,
          label: `${name} (${providerFacts[provider].name})`,
        }))}
        value={ways.find(({ isDefault }) => isDefault)?.id}
        required
      />
      <TextField
        name="to"
        label="To"
        type="tel"
        help="A phone number with the country's code, like +14155550100."
        required
      />
      <TemplateHeaderField template={template} files={files} />
      {template.variables.map((name) => {
        const field = { name: `variables.${name}`, label: `Value of {{${name}}}` };
        return isOpen(name, pieces, sample) ? (
          <TextField {...field} {...describePlace(template, name)} required />
        ) : (
          <TextField {...field} help="Leave empty to use the contact's value or the fallback." />
        );
      })}
      <TemplatePartFields template={template} files={files} />
      {template.source === "external" && (
        <>
          <BubblePreview template={template} own={sample} files={files} />
          <PreviewButton action={`${at}/preview`} />
        </>
      )}
      <Submit>Send test</Submit>
    </Form>
  );
};

/** Why a template can't be sent now, or null. */
export function describeObstacle(template: TemplateRecord, ways: Connection[]): { title: string; text: string } | null {
  const { unsupported } = parseTemplate(template);
  if (template.status === "PENDING")
    return { title: "You can't send it yet", text: "The provider is reviewing it. The status updates automatically." };
  if (template.status !== "APPROVED") return { title: "You can't send it", text: "The provider hasn't approved it." };
  if (unsupported.length > 0) {
    return {
      title: "You can't send it yet",
      text: `It needs ${describeMissing(unsupported)}, which isn't supported here.`,
    };
  }
  if (ways.length > 0) return null;
  return {
    title: "No connection for this template",
    text: "It needs an unofficial connection. Create one, such as a sandbox.",
  };
}

export const testBody = testTemplateBody.extend({ connection_id: z.string() });
