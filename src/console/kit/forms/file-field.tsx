// As soon as the user chooses a file, a script uploads it and puts its id into the form. The form submits only
// this id.
import type { FC } from "hono/jsx";
import { formatBytes } from "../format.ts";
import { FieldHelp } from "./form-fields.tsx";
import { useFormState } from "./forms.ts";
import { useWorkspaceRequest } from "../request.ts";

export const FILES_PATH = "/files";

export interface ChosenFile {
  id: string;
  mime_type: string | null;
  bytes: number | null;
  filename: string | null;
}

export const isPicture = ({ mime_type }: Pick<ChosenFile, "mime_type">) =>
  /^image\/(?:jpeg|png|webp|gif)$/.test(mime_type ?? "");

const Chosen: FC<{ file: ChosenFile | null }> = ({ file }) => (
  <div class="attachment" hidden={file === null}>
    <img
      alt=""
      width="56"
      height="56"
      hidden={file === null || !isPicture(file)}
      {...(file !== null && isPicture(file) && { src: `/console/media/${file.id}` })}
    />
    <p>
      <bdi class="attachment-name">{file?.filename ?? file?.mime_type ?? ""}</bdi>
      <span class="help attachment-note">{file?.bytes === null || file === null ? "" : formatBytes(file.bytes)}</span>
    </p>
    <progress class="attachment-progress" max={100} value={0} aria-label="Upload" hidden />
    <button type="button" class="plain attachment-remove needs-script">
      Remove<span class="unseen"> the file</span>
    </button>
  </div>
);

interface FileFieldProps {
  name: string;
  label: string;
  accept?: string | undefined;
  file: ChosenFile | null;
  help?: string | undefined;
  autofocus?: boolean | undefined;
  isButton?: boolean;
  dropOn?: string;
}

export const FileField: FC<FileFieldProps> = (props) => {
  const { name, label, accept, file, help, autofocus, isButton = false, dropOn } = props;
  const state = useFormState();
  const { path } = useWorkspaceRequest();
  const id = `file-${state.name}-${name.replaceAll(".", "-")}`;
  const fault = state.faults.find((each) => each.path === name || each.path.startsWith(`${name}.`));
  return (
    <div
      class={isButton ? "file-field attach needs-script" : "field file-field needs-script"}
      data-upload={path(FILES_PATH)}
      data-drop-on={dropOn}
    >
      <label for={id} class={isButton ? "button plain" : undefined}>
        {label}
      </label>
      <FieldHelp id={id} text={help} />
      <input
        type="file"
        id={id}
        class={isButton ? "unseen" : undefined}
        accept={accept}
        autofocus={autofocus}
        aria-invalid={fault === undefined ? undefined : "true"}
        aria-describedby={`${id}-fault${help === undefined ? "" : ` ${id}-help`}`}
      />
      <input type="hidden" name={name} value={file?.id ?? ""} />
      <Chosen file={file} />
      <p class="fault" id={`${id}-fault`} role="alert">
        {fault?.message}
      </p>
    </div>
  );
};
