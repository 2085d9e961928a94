import type { FC } from "hono/jsx";
import type { Connection } from "../../../../features/connections/connections.schemas.ts";
import type { TemplateCardParts } from "../../../../channels/templates/components.ts";
import { parseTemplate } from "../../../../features/templates/model/parse-template.ts";
import { parseExternal } from "../../../../features/templates/model/render-text.ts";
import { useFormState, type FormState, type SentValues } from "../../../kit/forms/forms.ts";
import { FilledPlaceholders } from "../../messages/template/template-bubble.tsx";
import { PhoneBubble } from "../../messages/phone-bubble.tsx";
import { type EditorProps, BodyPart, FooterPart, HeaderPart, OneTimePart } from "./editor-parts.tsx";
import { fileIn, typedIn, variablesInText, writeComponents, isCarousel, isOneTime } from "./editor-values.ts";

import type { TemplateRecord } from "../../../../features/templates/templates.schemas.ts";
import { ButtonLink } from "../../../kit/actions.tsx";
import { Facts } from "../../../kit/feedback.tsx";
import { ChoiceField } from "../../../kit/forms/choice-fields.tsx";
import { Form, SelectField, Submit, TextField, type Option } from "../../../kit/forms/form-fields.tsx";
import { useWorkspaceRequest } from "../../../kit/request.ts";
import { ButtonList, CardList } from "./editor-rows.tsx";
import { storedFields } from "./editor-stored.ts";
import { EnterButton, HiddenFields } from "../../../kit/forms/hidden-fields.tsx";

const kindOf = (text: string) =>
  variablesInText(text).some((name) => !/^\d+$/.test(name)) ? ("named" as const) : ("positional" as const);

const EditorPreview: FC<EditorProps> = ({ files }) => {
  const { values } = useFormState();
  const components = writeComponents(values);
  const category = typedIn(values, "category");
  const source = { name: "", language: null, category, body: "", parameters: "positional", components } as const;
  const { bodyText, parts } = parseTemplate(source);
  const { header, buttons, cards } = parts;
  const footer = parts.footer?.text ?? "";
  const filled = (text: string, examples: string) => (
    <FilledPlaceholders
      pieces={parseExternal(text, kindOf(text))}
      valueOf={(name) => typedIn(values, examples + name)}
      asWritten
    />
  );
  const given = (part: TemplateCardParts["header"], at: string) => {
    const [kind, id] = [part?.kind ?? "text", fileIn(values, at)];
    return kind === "text" || kind === "location" || id === "" ? null : { type: kind, media_id: id };
  };
  const minutes = typedIn(values, "footer.code_expiration_minutes");
  const isCode = category === "AUTHENTICATION";
  if (header === null && bodyText === "" && footer === "" && buttons.length === 0 && cards.length === 0)
    return (
      <div class="preview" id="preview">
        <p class="help">Start writing to see the message here.</p>
      </div>
    );
  return (
    <div class="preview" id="preview">
      <p class="help">Preview</p>
      <PhoneBubble
        header={header}
        title={filled(header?.text ?? "", "header.examples.")}
        given={given(header, "header.")}
        footer={isCode && minutes !== "" ? `This code expires in ${minutes} minutes.` : footer}
        buttons={buttons}
        cards={cards.map((card, position) => ({
          ...card,
          said: filled(card.body?.text ?? "", `cards.${position}.body.examples.`),
          given: given(card.header, `cards.${position}.header.`),
        }))}
        files={files.chosen}
      >
        {bodyText !== "" && <p class="said">{filled(bodyText, "body.examples.")}</p>}
      </PhoneBubble>
    </div>
  );
};

// Source: developers.facebook.com/documentation/business-messaging/whatsapp/templates/supported-languages
const CODES =
  "af sq ar az bn bg ca zh_CN zh_HK zh_TW hr cs da nl en en_GB en_US et fil fi fr ka de el gu ha he hi hu id ga it ja kn kk rw_RW ko ky_KG lo lv lt mk ms ml mr nb fa pl pt_BR pt_PT pa ro ru sr sk sl es es_AR es_ES es_MX sw sv ta te th tr uk ur uz vi zu";

function languageOptions(): Option[] {
  const names = new Intl.DisplayNames("en", { type: "language", languageDisplay: "standard" });
  return CODES.split(" ")
    .map((code) => ({ value: code, label: `${names.of(code.replace("_", "-")) ?? code} (${code})` }))
    .toSorted((a, b) => a.label.localeCompare(b.label, "en"));
}

interface FormProps extends EditorProps {
  at: string;
  template: TemplateRecord | null;
  connections: Connection[];
  state: FormState;
  focus: string | null;
}

const categories = [
  { value: "MARKETING", label: "Marketing", help: "Offers and news." },
  { value: "UTILITY", label: "Utility", help: "Updates about an existing order, account or appointment." },
  { value: "AUTHENTICATION", label: "Authentication", help: "One-time passwords." },
];

const layouts = [
  { value: "message", label: "One message", help: "One message, with an optional header, footer and buttons." },
  { value: "carousel", label: "A carousel", help: "A text and up to ten cards with pictures or videos." },
];

const FIELDS = {
  message: ["header.", "footer.text", "buttons."],
  carousel: ["cards.", "card_"],
  text: ["body.text", "body.examples.", "layout"],
  code: ["otp.", "footer.code_", "body.add_"],
};

function unseenFields(values: SentValues): [string, string][] {
  const isCode = isOneTime(values);
  const hidden = [
    ...(isCode || isCarousel(values) ? FIELDS.message : []),
    ...(isCode || !isCarousel(values) ? FIELDS.carousel : []),
    ...(isCode ? FIELDS.text : FIELDS.code),
  ];
  return [...values].flatMap(([name, [text = ""]]): [string, string][] =>
    hidden.some((begin) => name.startsWith(begin)) ? [[name, text]] : [],
  );
}

const Identity: FC<Pick<FormProps, "template" | "connections">> = ({ template, connections }) =>
  template === null ? (
    <>
      <SelectField
        name="connection_id"
        label="Connection"
        required
        value={connections.find(({ isDefault }) => isDefault)?.id}
        options={connections.map(({ id, name }) => ({ value: id, label: name }))}
      />
      <TextField
        name="name"
        label="Name"
        help="Lower case letters, digits and underscores. Only your team and the reviewers see it."
        placeholder="spring_sale"
        maxlength={120}
        required
      />
      <SelectField name="language" label="Language" required options={languageOptions()} />
    </>
  ) : (
    <Facts
      facts={[
        [
          "Connection",
          connections.find(({ id }) => id === template.connection_id)?.name ?? "The connection has since been deleted.",
        ],
        ["Name", template.name],
        ["Language", template.language],
      ]}
    />
  );

const Parts: FC<EditorProps & { preview: string; focus: string | null }> = ({ files, preview, focus }) => {
  const state = useFormState();
  if (isOneTime(state.values)) return <OneTimePart />;
  const text = <BodyPart label="Text" maxlength={1024} rows={7} />;
  if (isCarousel(state.values))
    return (
      <>
        {text}
        <CardList files={files} preview={preview} focus={focus} />
      </>
    );
  return (
    <>
      <HeaderPart files={files} />
      {text}
      <FooterPart />
      <ButtonList preview={preview} focus={focus} />
    </>
  );
};

const storedIn = (template: TemplateRecord) => ({
  revision: template.revision,
  stored: storedFields(template),
  hasChangingFields: true,
});

export const EditorForm: FC<FormProps> = ({ at, template, connections, state, files, focus }) => {
  const { path } = useWorkspaceRequest();
  const { values } = state;
  const preview = `${at}/preview`;
  const submit = template === null ? "Submit for review" : "Save and submit for review";
  return (
    <Form action={at} state={state} class="editor split" {...(template !== null && storedIn(template))}>
      <div>
        <EnterButton label={submit} />
        <Identity template={template} connections={connections} />
        <div id="editor">
          <HiddenFields fields={unseenFields(values)} />
          <ChoiceField name="category" label="Category" value="MARKETING" options={categories} />
          {values.get("category")?.[0] === "MARKETING" && (
            <ChoiceField name="layout" label="Layout" value="message" options={layouts} />
          )}
          <Parts files={files} preview={preview} focus={focus} />
        </div>
        <div class="actions">
          <Submit>{submit}</Submit>
          <button
            type="submit"
            class="plain scriptless"
            name="change"
            value="show"
            formaction={preview}
            formnovalidate
            data-preview
          >
            Show the fields and the preview
          </button>
          <ButtonLink href={path(template === null ? "/templates" : `/templates/${template.id}`)}>Cancel</ButtonLink>
        </div>
      </div>
      <div class="beside">
        <EditorPreview files={files} />
      </div>
    </Form>
  );
};
