import type { FC } from "hono/jsx";
import type { TemplateCardParts } from "../../../../channels/templates/components.ts";
import { parseTemplate } from "../../../../features/templates/model/parse-template.ts";
import { parseExternal } from "../../../../features/templates/model/render-text.ts";
import { useFormState } from "../../../kit/forms/forms.ts";
import { FilledPlaceholders } from "../../messages/template/template-bubble.tsx";
import { PhoneBubble } from "../../messages/phone-bubble.tsx";
import type { EditorProps } from "./editor-parts.tsx";
import { fileIn, typedIn, variablesInText, writeComponents } from "./editor-values.ts";

const kindOf = (text: string) =>
  variablesInText(text).some((name) => !/^\d+$/.test(name)) ? ("named" as const) : ("positional" as const);

export const EditorPreview: FC<EditorProps> = ({ files }) => {
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
  const given = (shown: TemplateCardParts["header"], at: string) => {
    const [kind, id] = [shown?.kind ?? "text", fileIn(values, at)];
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
        cards={cards.map((card, place) => ({
          ...card,
          said: filled(card.body?.text ?? "", `cards.${place}.body.examples.`),
          given: given(card.header, `cards.${place}.header.`),
        }))}
        files={files.chosen}
      >
        {bodyText !== "" && <p class="said">{filled(bodyText, "body.examples.")}</p>}
      </PhoneBubble>
    </div>
  );
};
