import type { FC } from "hono/jsx";
import type { ConversationRecord } from "../../../../features/conversations/conversations.schemas.ts";
import { parseTemplate } from "../../../../features/templates/model/parse-template.ts";
import type { TemplateRecord } from "../../../../features/templates/templates.schemas.ts";
import { ButtonLink } from "../../../kit/actions.tsx";
import { Banner, EmptyState } from "../../../kit/feedback.tsx";
import { Form, Submit, TextField } from "../../../kit/forms/form-fields.tsx";
import { useWorkspaceRequest } from "../../../kit/request.ts";
import type { ComposerState } from "./inbox-composer.ts";
import { BubblePreview, PreviewButton } from "../../messages/template/template-bubble.tsx";
import {
  describePlaceholder,
  TemplateHeaderField,
  TemplatePartFields,
} from "../../messages/template/template-fields.tsx";
import { readListFilters } from "../list/inbox-query.ts";
import { usePathTo } from "../../../kit/page/optional-link.tsx";
import { EnterButton, HiddenFields } from "../../../kit/forms/hidden-fields.tsx";

interface FormProps {
  conversation: ConversationRecord;
  composing: ComposerState & { templates: TemplateRecord[] };
  action: string;
  swap?: string;
}

const NoTemplate: FC<{ isOfficial: boolean }> = ({ isOfficial }) => {
  const to = usePathTo()(isOfficial ? "/settings/connections" : "/templates");
  return (
    <EmptyState
      title="No approved templates for this connection"
      action={to !== null && <ButtonLink href={to}>Go to {isOfficial ? "Connections" : "Templates"}</ButtonLink>}
    >
      {isOfficial
        ? "Get one approved by the provider, then sync templates in the connection's settings."
        : "Create one under Templates."}
    </EmptyState>
  );
};

const labelVariable = (variable: string) =>
  /^\d/.test(variable) ? `Value of {{${variable}}}` : variable.replaceAll("_", " ");

const FilledTemplateForm: FC<FormProps & { template: TemplateRecord }> = ({
  template,
  composing: { own, files },
  action,
  swap,
}) => {
  const fallbacks = new Map(
    parseTemplate(template).body.flatMap((piece) => (typeof piece === "string" ? [] : [[piece.name, piece.fallback]])),
  );
  const part = { template, files };
  return (
    <Form action={action} name="template" class="template-form" {...(swap !== undefined && { swap })}>
      <input type="hidden" name="template_id" value={template.id} />
      <EnterButton label="Send template" />
      <TemplateHeaderField {...part} />
      {template.variables.map((name) => {
        const known = own.get(name) ?? fallbacks.get(name) ?? null;
        return (
          <TextField
            name={`variables.${name}`}
            label={labelVariable(name)}
            {...describePlaceholder(template, name)}
            value={known}
            required={known === null}
          />
        );
      })}
      <TemplatePartFields {...part} />
      <BubblePreview template={template} own={own} files={files} />
      <PreviewButton action={`${action.split("?")[0]}/preview`} />
      <Submit>Send template</Submit>
    </Form>
  );
};

export const TemplateForm: FC<FormProps> = (props) => {
  const request = useWorkspaceRequest();
  const { conversation, composing } = props;
  const { templates, template } = composing;
  const banner = request.refused?.banner ?? null;
  const error = template === null && banner !== null && <Banner kind="error">{banner}</Banner>;
  if (templates.length === 0)
    return (
      <>
        {error}
        <NoTemplate isOfficial={conversation.channel === "official"} />
      </>
    );
  return (
    <>
      {error}
      <form
        method="get"
        action={request.path(`/inbox/${conversation.id}`)}
        class="template-choice"
        data-swap="reply"
        data-live
      >
        <HiddenFields fields={readListFilters(request)} />
        <input type="hidden" name="compose" value="template" />
        <label for="template">Template</label>
        <select id="template" name="template">
          <option value="">Choose a template</option>
          {templates.map(({ id, name, language }) => (
            <option value={id} selected={id === template?.id}>
              {name}
              {language !== null && ` (${language})`}
            </option>
          ))}
        </select>
        <button type="submit" class="plain">
          Choose
        </button>
      </form>
      {template === null ? (
        <p class="help template-form">Choose a template. You can review it before sending.</p>
      ) : (
        <FilledTemplateForm {...props} template={template} />
      )}
    </>
  );
};
