// A provider's template as the phone shows it while it is written, with the examples of its variables.
import type { FC } from "hono/jsx";
import { bodyText } from "../../../features/templates/templates.external.ts";
import { parseExternal } from "../../../features/templates/templates.render.ts";
import { useFormState } from "../../kit/forms.ts";
import { FilledPlaceholders } from "../messages/template-bubble.tsx";
import { PhoneBubble } from "../messages/phone-bubble.tsx";
import { readTemplateParts, type ShownCard } from "../messages/template-parts.ts";
import type { EditorProps } from "./editor-parts.tsx";
import { fileKinds } from "./editor-parts.tsx";
import { fileIn, typedIn, variablesInText, writeComponents } from "./editor-values.ts";

const kindOf = (text: string) =>
  variablesInText(text).some((name) => !/^\d+$/.test(name)) ? ("named" as const) : ("positional" as const);

export const EditorPreview: FC<EditorProps> = ({ files }) => {
  const { values } = useFormState();
  const components = writeComponents(values);
  const { header, footer, buttons, cards } = readTemplateParts(components);
  const filled = (text: string, examples: string) => (
    <FilledPlaceholders
      pieces={parseExternal(text, kindOf(text))}
      valueOf={(name) => typedIn(values, examples + name)}
      asWritten
    />
  );
  const given = (shown: ShownCard["header"], at: string) => {
    const [type, id] = [fileKinds[shown?.format ?? ""], fileIn(values, at)];
    return type === undefined || id === "" ? null : { type, media_id: id };
  };
  const minutes = typedIn(values, "footer.code_expiration_minutes");
  const isCode = typedIn(values, "category") === "AUTHENTICATION";
  const text = bodyText({ parameters: "positional", components, category: typedIn(values, "category") });
  if (header === null && text === "" && footer === "" && buttons.length === 0 && cards.length === 0)
    return (
      <div class="preview" id="preview">
        <p class="help">The message appears here as you write it.</p>
      </div>
    );
  return (
    <div class="preview" id="preview">
      <p class="help">How it will look</p>
      <PhoneBubble
        header={header}
        title={filled(header?.text ?? "", "header.examples.")}
        given={given(header, "header.")}
        footer={isCode && minutes !== "" ? `This code expires in ${minutes} minutes.` : footer}
        buttons={buttons}
        cards={cards.map((card, place) => ({
          ...card,
          said: filled(card.body, `cards.${place}.body.examples.`),
          given: given(card.header, `cards.${place}.header.`),
        }))}
        files={files.chosen}
      >
        {text !== "" && <p class="said">{filled(text, "body.examples.")}</p>}
      </PhoneBubble>
    </div>
  );
};
