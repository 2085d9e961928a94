import type { FC } from "hono/jsx";
import { startCampaignBody } from "../../../../features/campaigns/campaigns.schemas.ts";
import { contactValueNames } from "../../../../features/contacts/contacts.values.ts";
import type { Connection } from "../../../../features/connections/connections.schemas.ts";
import type { SegmentRecord } from "../../../../features/segments/segments.schemas.ts";
import { fitsConnection } from "../../../../features/templates/templates.fitting.ts";
import type { TemplateRecord } from "../../../../features/templates/templates.schemas.ts";
import { Banner, Section } from "../../../kit/feedback.tsx";
import { labelOptions } from "../../../kit/format.ts";
import { ChoiceField, ManyField } from "../../../kit/forms/choice-fields.tsx";
import { Form, SelectField, TextField } from "../../../kit/forms/form-fields.tsx";
import { type FormState, FormStateProvider, type SentValues, useFormState } from "../../../kit/forms/forms.ts";
import { useWorkspaceRequest } from "../../../kit/request.ts";
import { TimeField } from "../../../kit/forms/time-field.tsx";
import { BubblePreview } from "../../messages/template/template-bubble.tsx";
import { TemplateHeaderField, TemplatePartFields } from "../../messages/template/template-fields.tsx";
import type { TemplateFiles } from "../../messages/template/template-files.tsx";
import { SegmentChoice, VariableFields } from "./campaign-form-fields.tsx";
import { FormActions } from "../../../kit/actions.tsx";
import { EnterButton } from "../../../kit/forms/hidden-fields.tsx";

export interface CampaignChoices {
  templates: TemplateRecord[];
  connections: Connection[];
  tags: { name: string }[];
  segments: SegmentRecord[];
  fieldKeys: string[];
}

const ConnectionChoice: FC<{ template: TemplateRecord; connections: Connection[] }> = ({ template, connections }) => {
  const state = useFormState();
  const { path } = useWorkspaceRequest();
  const fitting = connections.filter((connection) => fitsConnection(template, connection));
  const preferred = fitting.find(({ isDefault }) => isDefault) ?? fitting[0];
  if (preferred === undefined) {
    return (
      <Banner kind="warning">
        {template.source === "local"
          ? "This template needs an unofficial connection. Add one first. "
          : "The connection of this template was deleted. "}
        <a href={path("/settings/connections")}>Go to connections</a>
      </Banner>
    );
  }
  const valueOf = ({ channel, id }: Connection) => `${channel} ${id}`;
  const isOffered = fitting.some((connection) => valueOf(connection) === state.values.get("channel")?.[0]);
  const sent = isOffered ? state : { ...state, values: new Map([...state.values, ["channel", []]]) };
  return (
    <FormStateProvider value={sent}>
      <SelectField
        name="channel"
        label="Send through"
        required
        value={valueOf(preferred)}
        options={fitting.map((connection) => ({
          value: valueOf(connection),
          label: `${connection.name} (${connection.channel}${connection.isDefault ? ", default" : ""}${connection.status === "active" ? "" : `, ${connection.status}`})`,
        }))}
      />
    </FormStateProvider>
  );
};

const TagChoices: FC<{ tags: CampaignChoices["tags"] }> = ({ tags }) =>
  tags.length === 0 ? null : (
    <>
      <ManyField
        name="filter_tags"
        label="Tags"
        options={tags.map(({ name }) => ({ value: name, label: name }))}
        box="tag-choices"
      />
      <ChoiceField
        name="filter_tags_mode"
        label="With several tags"
        value="all"
        options={[
          { value: "all", label: "Contacts with all of them" },
          { value: "any", label: "Contacts with any of them" },
        ]}
      />
    </>
  );

const { options: STATUSES } = startCampaignBody.shape.filter_status.unwrap();

const Audience: FC<{ choices: CampaignChoices }> = ({ choices: { tags, segments } }) => (
  <Section
    title="Audience"
    help="Leave everything empty to message all contacts. Contacts must match every condition. Contacts who are archived, unsubscribed, have marketing off, or have no phone number or user ID are left out."
  >
    <TagChoices tags={tags} />
    <SelectField
      name="filter_status"
      label="Status"
      options={[{ value: "", label: "Any" }, ...labelOptions(STATUSES)]}
    />
    <SegmentChoice segments={segments} />
  </Section>
);

const When: FC<{ starts: CampaignFormUse["starts"] }> = ({ starts }) => (
  <Section title="When">
    {starts === "later" ? (
      <>
        <input type="hidden" name="when" value="later" />
        <TimeField name="scheduled_at" label="Start at" required />
      </>
    ) : (
      <NowOrLater />
    )}
    <TimeField
      name="send_before"
      label="Stop at"
      help="Contacts who haven't got the message by then are skipped. Useful if the message is worthless later."
    />
  </Section>
);

const NowOrLater: FC<{}> = () => (
  <div class="when">
    <ChoiceField
      name="when"
      label="Start"
      value="now"
      options={[
        { value: "now", label: "Now, after you confirm" },
        { value: "later", label: "Later" },
      ]}
    />
    <div class="later">
      <TimeField name="scheduled_at" label="Start at" required={false} />
    </div>
  </div>
);

export interface CampaignFormUse {
  title: string;
  action: string;
  redraw: string;
  back: string;
  submit: string;
  note: string;
  /** `later` if the campaign is already scheduled. The form then does not offer to start it now. */
  starts: "now_or_later" | "later";
  changes?: { revision: number; stored: SentValues };
}

interface FormProps {
  choices: CampaignChoices;
  template: TemplateRecord | null;
  files: TemplateFiles;
  state: FormState;
  use: CampaignFormUse;
}

export const CampaignForm: FC<FormProps> = ({ choices, template, files, state, use }) => {
  const own = contactValueNames(choices.fieldKeys.map((key) => ({ key })));
  const options = choices.templates.map(({ id, name, language }) => ({
    value: id,
    label: language === null ? name : `${name} (${language})`,
  }));
  return (
    <Form action={use.action} state={state} class="narrow campaign" {...use.changes}>
      <EnterButton label={use.submit} />
      <Section title="Message">
        <SelectField
          name="template_id"
          label="Template"
          required
          value={template?.id}
          options={[{ value: "", label: "Choose a template" }, ...options]}
        />
        <p class="scriptless">
          <button type="submit" class="plain" id="show-template" formaction={use.redraw} formnovalidate data-preview>
            Show template
          </button>
        </p>
        <div id="template-part" aria-live="polite">
          {template !== null && (
            <>
              <TemplateHeaderField template={template} files={files} />
              <VariableFields template={template} own={own} />
              <TemplatePartFields template={template} files={files} />
              <BubblePreview template={template} files={files} />
              <ConnectionChoice template={template} connections={choices.connections} />
            </>
          )}
        </div>
        <TextField
          name="name"
          label="Campaign name"
          help="Only visible to your team. Defaults to the template's name."
          maxlength={120}
        />
      </Section>
      <Audience choices={choices} />
      <When starts={use.starts} />
      <p class="help">{use.note}</p>
      <FormActions submit={use.submit} cancel={use.back} />
    </Form>
  );
};
