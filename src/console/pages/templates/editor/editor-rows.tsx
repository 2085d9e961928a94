import type { FC, PropsWithChildren } from "hono/jsx";
import { CheckField } from "../../../kit/forms/choice-fields.tsx";
import { SelectField, TextField } from "../../../kit/forms/form-fields.tsx";
import { isTicked, useFormState } from "../../../kit/forms/forms.ts";
import { editorButtonKinds, fieldsOfButton } from "../../messages/phone-bubble.tsx";
import { BodyPart, CardFile, CardFormat, type EditorProps } from "./editor-parts.tsx";
import {
  cardButtonKinds,
  countCards,
  countRows,
  MAX_BUTTONS,
  MAX_CARD_BUTTONS,
  MAX_CARDS,
  MIN_CARDS,
  typedIn,
} from "./editor-values.ts";

const kindLabel = (kind: string): string => editorButtonKinds.find(({ value }) => value === kind)?.label ?? kind;

const Change: FC<PropsWithChildren<{ value: string; preview: string }>> = ({ value, preview, children }) => (
  <button type="submit" class="plain" name="change" value={value} formaction={preview} formnovalidate>
    {children}
  </button>
);

interface RowProps {
  at: string;
  kind: string;
  focus: string | null;
}

const LinkFields: FC<Pick<RowProps, "at">> = ({ at }) => {
  const state = useFormState();
  return (
    <>
      <TextField
        name={`${at}url`}
        label="Address"
        type="text"
        placeholder="https://example.com/orders/{{1}}"
        help="Can end in {{1}}, which you provide with each message."
        required
      />
      <div id={`${at.replaceAll(".", "-")}examples`} data-follows>
        {typedIn(state.values, `${at}url`).includes("{{") && (
          <TextField name={`${at}example`} label="Example of {{1}}" required />
        )}
      </div>
    </>
  );
};

const ButtonFields: FC<RowProps> = ({ at, kind, focus }) => (
  <>
    {fieldsOfButton(kind)?.includes("text") === true && (
      <TextField name={`${at}text`} label="Button label" maxlength={25} required autofocus={focus === `${at}text`} />
    )}
    {kind === "URL" && <LinkFields at={at} />}
    {kind === "PHONE_NUMBER" && (
      <TextField name={`${at}phone_number`} label="Phone number" type="tel" maxlength={20} required />
    )}
    {kind === "COPY_CODE" && (
      <TextField
        name={`${at}example`}
        label="Example code"
        help="You provide the actual code with each message."
        maxlength={15}
        required
        autofocus={focus === `${at}example`}
      />
    )}
    {kind === "FLOW" && <TextField name={`${at}flow_id`} label="Form (flow) ID at the provider" required />}
  </>
);

interface ListProps extends EditorProps {
  preview: string;
  focus: string | null;
}

export const ButtonList: FC<Omit<ListProps, "files">> = ({ preview, focus }) => {
  const state = useFormState();
  const count = countRows(state.values, "buttons");
  const fault = state.faults.find(({ path }) => path === "buttons");
  return (
    <fieldset>
      <legend>Buttons</legend>
      <p class="help">Up to ten. Keep quick replies together, before or after the other buttons.</p>
      {Array.from({ length: count }, (_, position) => {
        const at = `buttons.${position}.`;
        const kind = typedIn(state.values, `${at}type`);
        return (
          <fieldset class="card-fields">
            <legend>{`${position + 1}. ${kindLabel(kind)}`}</legend>
            <input type="hidden" name={`${at}type`} value={kind} />
            <ButtonFields at={at} kind={kind} focus={focus} />
            <div class="actions">
              {position > 0 && (
                <Change value={`up:buttons.${position}`} preview={preview}>
                  Move up
                </Change>
              )}
              <Change value={`remove:buttons.${position}`} preview={preview}>
                Remove<span class="unseen"> button {position + 1}</span>
              </Change>
            </div>
          </fieldset>
        );
      })}
      {fault !== undefined && <p class="fault">{fault.message}</p>}
      {count < MAX_BUTTONS && (
        <div class="add-row">
          <SelectField
            name="new_button"
            label="Another button"
            required
            autofocus={focus === "new_button"}
            options={editorButtonKinds}
          />
          <Change value="add:buttons" preview={preview}>
            Add<span class="unseen"> the button</span>
          </Change>
        </div>
      )}
    </fieldset>
  );
};

const cardKinds = [{ value: "", label: "None" }, ...editorButtonKinds.slice(0, 3)];

const Card: FC<ListProps & { position: number; count: number }> = ({ position, count, files, preview, focus }) => {
  const state = useFormState();
  const at = `cards.${position}.`;
  return (
    <fieldset class="card-fields">
      <legend>Card {position + 1}</legend>
      <CardFile at={at} autofocus={focus === `${at}header.media_id`} files={files} />
      {isTicked(state.values, "card_texts") && (
        <BodyPart at={at} label="Text" maxlength={160} rows={3} autofocus={focus === `${at}body.text`} />
      )}
      {cardButtonKinds(state.values).flatMap((kind, index) =>
        kind === "" ? [] : [<ButtonFields at={`${at}buttons.${index}.`} kind={kind} focus={focus} />],
      )}
      <div class="actions">
        {position > 0 && (
          <Change value={`up:cards.${position}`} preview={preview}>
            Move up<span class="unseen">: card {position + 1}</span>
          </Change>
        )}
        {count > MIN_CARDS && (
          <Change value={`remove:cards.${position}`} preview={preview}>
            Remove<span class="unseen"> card {position + 1}</span>
          </Change>
        )}
      </div>
    </fieldset>
  );
};

export const CardList: FC<ListProps> = (props) => {
  const { preview } = props;
  const state = useFormState();
  const count = countCards(state.values);
  return (
    <fieldset>
      <legend>Cards</legend>
      <p class="help">Two to ten cards that people swipe through. All have the same parts.</p>
      <CardFormat />
      <CheckField name="card_texts" label="Cards have text" />
      {Array.from({ length: MAX_CARD_BUTTONS }, (_, position) => (
        <SelectField
          name={`card_buttons.${position}`}
          label={position === 0 ? "First button of each card" : "Second button of each card"}
          options={cardKinds}
        />
      ))}
      {Array.from({ length: count }, (_, position) => (
        <Card {...props} position={position} count={count} />
      ))}
      {count < MAX_CARDS && (
        <Change value="add:cards" preview={preview}>
          Add a card
        </Change>
      )}
    </fieldset>
  );
};
