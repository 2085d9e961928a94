// Chooses, fills in and previews a template for a reply.
import type { FC } from "hono/jsx";
import type { ConversationRecord } from "../../../features/conversations/conversations.schemas.ts";
import { partsOf } from "../../../features/templates/templates.filling.ts";
import type { TemplateRecord } from "../../../features/templates/templates.schemas.ts";
import { ButtonLink } from "../../kit/actions.tsx";
import { Banner, EmptyState } from "../../kit/feedback.tsx";
import { Form, Submit, TextField } from "../../kit/form-fields.tsx";
import { type FormState, formStateFor } from "../../kit/forms.ts";
import { useWorkspaceRequest } from "../../kit/request.ts";
import type { ComposerState } from "./inbox-composer.ts";
import { PhoneBubble } from "../messages/phone-bubble.tsx";
import { readTemplateParts } from "../messages/template-parts.ts";
import { readListFilters } from "./inbox-query.ts";

interface FormProps {
  conversation: ConversationRecord;
  composing: ComposerState & { templates: TemplateRecord[] };
  action: string;
  swap?: string;
}

const NoTemplate: FC<{ isOfficial: boolean }> = ({ isOfficial }) => {
  const { path, settingsNavigation, mainNavigation } = useWorkspaceRequest();
  const to = isOfficial ? "/settings/connections" : "/templates";
  const place = [...settingsNavigation, ...mainNavigation].find((each) => each.path === to);
  return (
    <EmptyState
      title="There is no approved template for this connection"
      action={place !== undefined && <ButtonLink href={path(to)}>Go to {place.label}</ButtonLink>}
    >
      {isOfficial
        ? "Have one approved by the connection's provider, then sync its templates in the settings."
        : "Create one under Templates."}
    </EmptyState>
  );
};

const labelVariable = (variable: string) =>
  /^\d/.test(variable) ? `Value of {{${variable}}}` : variable.replaceAll("_", " ");

/** The template as the phone shows it, which a script updates as values are typed. */
const ReplyPreview: FC<{ template: TemplateRecord; own: ComposerState["own"]; state: FormState }> = ({
  template,
  own,
  state,
}) => (
  <div class="preview">
    <p class="help">How it will look</p>
    <PhoneBubble {...readTemplateParts(template.components)} files={new Map()}>
      <p class="said">
        {partsOf(template).map((part) => {
          if (typeof part === "string") return part;
          const left = own.get(part.name) ?? part.fallback ?? `{{${part.name}}}`;
          const sent = state.values.get(`variables.${part.name}`)?.[0] ?? "";
          return (
            <span class="filled" data-variable={part.name} data-left={left}>
              {sent.trim() === "" ? left : sent}
            </span>
          );
        })}
      </p>
    </PhoneBubble>
  </div>
);

const FilledTemplateForm: FC<FormProps & { template: TemplateRecord }> = ({
  template,
  composing: { own, form },
  action,
  swap,
}) => {
  const state = { ...formStateFor(form, "template"), name: "template" };
  const parts = partsOf(template);
  const placeOf = (name: string) => parts.find((part) => typeof part !== "string" && part.name === name);
  return (
    <Form action={action} state={state} class="template-form" {...(swap !== undefined && { swap })}>
      <input type="hidden" name="template_id" value={template.id} />
      {template.variables.map((name) => {
        const place = placeOf(name);
        const known = own.get(name) ?? (typeof place === "object" ? place.fallback : null);
        return (
          <TextField
            name={`variables.${name}`}
            label={labelVariable(name)}
            {...(place === undefined && { help: "Goes into the template's header or a button." })}
            value={known}
            required={known === null}
            state={state}
          />
        );
      })}
      <ReplyPreview template={template} own={own} state={state} />
      <Submit>Send template</Submit>
    </Form>
  );
};

export const TemplateForm: FC<FormProps> = (props) => {
  const request = useWorkspaceRequest();
  const { conversation, composing } = props;
  const { templates, template, form } = composing;
  const error = template === null && form.banner !== null && <Banner kind="error">{form.banner}</Banner>;
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
        {readListFilters(request).map(([name, value]) => (
          <input type="hidden" name={name} value={value} />
        ))}
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
        <p class="help template-form">Choose a template; you can check it before it is sent.</p>
      ) : (
        <FilledTemplateForm {...props} template={template} />
      )}
    </>
  );
};
