import type { Child, FC, PropsWithChildren } from "hono/jsx";
import { Form, Submit } from "./forms/form-fields.tsx";
import { HiddenFields } from "./forms/hidden-fields.tsx";
import { unsentForm } from "./forms/forms.ts";

export const ButtonLink: FC<
  PropsWithChildren<{
    href: string;
    kind?: "primary" | "plain";
    shortcut?: string;
  }>
> = ({ href, kind = "plain", shortcut, children }) => (
  <a class={`button ${kind}`} href={href} data-key={shortcut}>
    {children}
  </a>
);

export const FormActions: FC<{ submit: Child; cancel: string }> = ({ submit, cancel }) => (
  <div class="actions">
    <Submit>{submit}</Submit>
    <ButtonLink href={cancel}>Cancel</ButtonLink>
  </div>
);

export const PostButton: FC<
  PropsWithChildren<{
    action: string;
    fields?: Record<string, string>;
    kind?: "primary" | "plain" | "danger" | "quiet";
    swap?: string;
    shortcut?: string;
    act?: string;
    revision?: number | null;
    leaves?: boolean;
  }>
> = ({ action, fields = {}, kind = "plain", swap, shortcut, act, revision = null, leaves = false, children }) => (
  <Form
    action={action}
    state={unsentForm}
    class="inline"
    revision={revision}
    leaves={leaves}
    {...(swap !== undefined && { swap })}
  >
    <HiddenFields fields={Object.entries(fields)} />
    <button type="submit" class={kind} data-key={shortcut} data-act={act}>
      {children}
    </button>
  </Form>
);

interface ConfirmProps {
  id: string;
  label: string;
  title: string;
  action: string;
  confirm: string;
  kind?: "plain" | "danger";
  revision?: number | null;
}

export const ConfirmButton: FC<PropsWithChildren<ConfirmProps>> = ({
  id,
  label,
  title,
  action,
  confirm,
  kind = "danger",
  revision = null,
  children,
}) => (
  <>
    <button type="button" class="plain" {...{ commandfor: id, command: "show-modal" }}>
      {label}
    </button>
    <Dialog id={id} title={title}>
      <p>{children}</p>
      <Form action={action} state={unsentForm} class="dialog-actions" revision={revision}>
        <button type="submit" class={kind}>
          {confirm}
        </button>
        <button type="button" class="plain" {...{ commandfor: id, command: "close" }}>
          Cancel
        </button>
      </Form>
    </Dialog>
  </>
);

/** To open the dialog, render a button with `{...{ commandfor: id, command: "show-modal" }}`. */
export const Dialog: FC<PropsWithChildren<{ id: string; title: string }>> = ({ id, title, children }) => (
  <dialog id={id} aria-labelledby={`${id}-title`}>
    <h2 id={`${id}-title`}>{title}</h2>
    {children}
  </dialog>
);

export const CopyField: FC<{ id: string; label: string; value: string; help?: Child }> = ({
  id,
  label,
  value,
  help,
}) => (
  <div class="field copy">
    <label for={id}>{label}</label>
    {help !== undefined && <p class="help">{help}</p>}
    <div class="copy-row">
      {value.includes("\n") ? (
        <textarea id={id} readonly rows={value.split("\n").length}>
          {value}
        </textarea>
      ) : (
        <input id={id} type="text" readonly value={value} />
      )}
      <button type="button" class="plain needs-script" data-copy={id}>
        Copy<span class="unseen"> {label}</span>
      </button>
    </div>
  </div>
);
