// The file field of a header: uploaded, selected from stored files, or, without scripts, a URL.
import type { FC } from "hono/jsx";
import { ChangeByOthers, ValuesBefore } from "../../kit/forms/changes.tsx";
import { FileField, isPicture } from "../../kit/forms/file-field.tsx";
import { TextField } from "../../kit/forms/form-fields.tsx";
import { formatBytes } from "../../kit/format.ts";
import { type FormState, useFormState } from "../../kit/forms/forms.ts";
import { describeFormats, mediaLimits } from "../../../features/media/media.kinds.ts";
import { type FileKind, filesOfKind, type TemplateFiles } from "./template/template-files.ts";

interface ChoiceProps {
  /** The header's field path: `header` or `cards.0.header`. */
  at: string;
  label: string;
  kind: FileKind;
  files: TemplateFiles;
  help?: string;
  autofocus?: boolean;
  /** True if the file may come from a URL. */
  takesAddress?: boolean;
}

/** To the second, to distinguish files with equal names. */
const storedAt = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeStyle: "medium", timeZone: "UTC" });

const latestOf = (state: FormState, names: readonly string[]): string | undefined =>
  names.map((name) => state.values.get(name)?.[0] ?? "").find((value) => value !== "");

export const FileChoice: FC<ChoiceProps> = (props) => {
  const { at, label, kind, files, help, autofocus, takesAddress = false } = props;
  const state = useFormState();
  const id = latestOf(state, [`${at}.stored`, `${at}.media_id`]);
  const stored = filesOfKind(files, kind);
  const selectId = `${state.name}-${at.replaceAll(".", "-")}-stored`;
  const fault = state.faults.find(({ path }) => path === `${at}.media_id`);
  return (
    <div class="file-choice">
      <FileField
        name={`${at}.media_id`}
        label={label}
        accept={mediaLimits[kind].mimeTypes?.join(",")}
        help={[describeFormats(kind), help].filter((part) => part !== undefined).join(" ")}
        file={files.chosen.get(id ?? "") ?? null}
        autofocus={autofocus}
      />
      <ValuesBefore name={`${at}.media_id`} now={[]} />
      {stored.length > 0 && (
        <div class="field">
          <label for={selectId}>{label}: a stored file</label>
          <select id={selectId} name={`${at}.stored`} data-stored>
            <option value="">None</option>
            {stored.map((file) => (
              <option value={file.id} selected={file.id === id} data-picture={isPicture(file) ? "" : undefined}>
                {`${file.filename ?? file.id} (${formatBytes(file.bytes ?? 0)}), ${storedAt.format(file.created_at)} UTC`}
              </option>
            ))}
          </select>
          <ChangeByOthers
            name={`${at}.stored`}
            now={[]}
            show={(each) => stored.find((file) => file.id === each)?.filename ?? "another file"}
          />
        </div>
      )}
      <div class="scriptless">
        {fault !== undefined && <p class="fault">{fault.message}</p>}
        {takesAddress && <TextField name={`${at}.url`} label={`${label}: its web address`} type="url" />}
      </div>
    </div>
  );
};
