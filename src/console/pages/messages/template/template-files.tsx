import { findMediaFiles, listMedia } from "../../../../features/media/media.service.ts";
import { describeFormats, refusalOfFile, mediaLimits } from "../../../../features/media/media.kinds.ts";
import type { MediaRecord } from "../../../../features/media/media.schemas.ts";
import { parseTemplate, type TemplateSource } from "../../../../features/templates/model/parse-template.ts";
import { type HeaderFile, headerFiles } from "../../../../features/templates/model/read-values.ts";
import type { SentHeader, SentParts } from "../../../../features/templates/model/sent-parts.schemas.ts";
import { sentFileIds } from "../../../../features/templates/template-files.ts";
import { getTemplate } from "../../../../features/templates/templates.service.ts";
import type { Ctx } from "../../../../shared/context.ts";
import { type Fault, invalid } from "../../../../shared/errors.ts";
import { formatBytes, timeFormat } from "../../../kit/format.ts";
import { type FormState, useFormState } from "../../../kit/forms/forms.ts";
import type { FilesById } from "../message-files.tsx";
import type { FC } from "hono/jsx";
import { ChangeByOthers, ValuesBefore } from "../../../kit/forms/changes.tsx";
import { FileField, isPicture } from "../../../kit/forms/file-field.tsx";
import { TextField } from "../../../kit/forms/form-fields.tsx";

export type FileKind = HeaderFile["kind"];

export interface TemplateFiles {
  chosen: FilesById;
  stored: readonly MediaRecord[];
}

export const NO_FILES: TemplateFiles = { chosen: new Map(), stored: [] };

const OFFERED = 100;

const FILE_FIELD = /(?:^|\.)(?:media_id|stored)$/;

const fileIdsIn = (values: FormState["values"]): string[] =>
  [...values].flatMap(([name, texts]) => (FILE_FIELD.test(name) ? texts.filter((id) => id !== "") : []));

export async function loadFiles(ctx: Ctx, values: FormState["values"], hasFields: boolean): Promise<TemplateFiles> {
  if (!hasFields) return NO_FILES;
  const [latest, chosen] = await Promise.all([listMedia(ctx, OFFERED), findMediaFiles(ctx, fileIdsIn(values))]);
  return { chosen, stored: latest.filter(({ status, filename }) => status === "stored" && filename !== null) };
}

export function takesFiles(template: TemplateSource): boolean {
  const { headerKind, cards } = parseTemplate(template);
  return [headerKind, ...cards.map((card) => card.headerKind)].some((kind) => kind !== null && kind !== "location");
}

const filesOfKind = ({ stored }: TemplateFiles, kind: FileKind): readonly MediaRecord[] =>
  stored.filter(
    ({ mime_type, bytes }) => refusalOfFile(kind, { mimeType: mime_type ?? "", bytes: bytes ?? 0 }) === null,
  );

function faultOfFile(kind: FileKind, file: MediaRecord | undefined): string | null {
  if (file === undefined || file.status === "expired") return "The file is no longer available. Choose it again.";
  if (file.status === "pending") return null;
  if (file.status === "failed") return "Couldn't load the file. Choose another file.";
  const { mime_type: mimeType, bytes } = file;
  const refusal = refusalOfFile(kind, { mimeType: mimeType ?? "", bytes: bytes ?? 0 });
  if (refusal === null) return null;
  return refusal.reason === "too_large"
    ? `The file is too large (${formatBytes(bytes ?? 0)}). Allowed: ${describeFormats(kind)}`
    : `This file type isn't supported here. Allowed: ${describeFormats(kind)}`;
}

export async function requireFiles(
  ctx: Ctx,
  wanted: readonly { field: string; kind: FileKind; mediaId: string | null }[],
): Promise<ReadonlyMap<string, MediaRecord>> {
  const files = await findMediaFiles(
    ctx,
    wanted.flatMap(({ mediaId }) => mediaId ?? []),
  );
  const faults = wanted.flatMap(({ field, kind, mediaId }): Fault[] => {
    const message = mediaId === null ? null : faultOfFile(kind, files.get(mediaId));
    return message === null ? [] : [{ path: field, code: "invalid_value", message }];
  });
  if (faults.length > 0) throw invalid(faults);
  return files;
}

/**
 * Adds the file name to each document, because phones show it. Throws `not_found` for an unknown template,
 * and the errors of `requireFiles`.
 */
export async function withCheckedFiles<V extends SentParts>(ctx: Ctx, templateId: string, values: V): Promise<V> {
  if (sentFileIds(values).length === 0) return values;
  const wanted = headerFiles(parseTemplate(await getTemplate(ctx, templateId)), values);
  const files = await requireFiles(
    ctx,
    wanted.map((file) => ({ ...file, field: `${file.path}.media_id` })),
  );
  const documents = new Set(wanted.filter(({ kind }) => kind === "document").map(({ path }) => path));
  const named = (header: SentHeader | undefined, path: string): { header?: SentHeader } => {
    const filename = files.get(header?.media_id ?? "")?.filename ?? null;
    return header === undefined || filename === null || !documents.has(path) ? {} : { header: { ...header, filename } };
  };
  return {
    ...values,
    ...named(values.header, "header"),
    ...(values.cards !== undefined && {
      cards: values.cards.map((card, position) => ({ ...card, ...named(card.header, `cards.${position}.header`) })),
    }),
  };
}

interface ChoiceProps {
  at: string;
  label: string;
  kind: FileKind;
  files: TemplateFiles;
  help?: string;
  autofocus?: boolean;
  takesAddress?: boolean;
}

/** Shows seconds, because two files with the same name can be stored within the same minute. */
const storedAt = timeFormat({ dateStyle: "medium", timeStyle: "medium" });

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
