import type { Child, FC, PropsWithChildren } from "hono/jsx";
import { Form } from "./forms/form-fields.tsx";
import { unsentForm } from "./forms/forms.ts";

/** A link that looks like a button. */
export const ButtonLink: FC<
  PropsWithChildren<{
    href: string;
    kind?: "primary" | "plain" | "quiet";
    /** The key that follows it. */
    shortcut?: string;
  }>
> = ({ href, kind = "plain", shortcut, children }) => (
  <a class={`button ${kind}`} href={href} data-key={shortcut}>
    {children}
  </a>
);

/** A button that changes something at once. `fields` are sent along. Its page shows why it was refused. */
export const PostButton: FC<
  PropsWithChildren<{
    action: string;
    fields?: Record<string, string>;
    kind?: "primary" | "plain" | "danger" | "quiet";
    swap?: string;
    /** The key that presses it. */
    shortcut?: string;
    /** Its name in the command palette, where its own words would not say what it does. */
    act?: string;
    /** As a form's. */
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
    {Object.entries(fields).map(([name, value]) => (
      <input type="hidden" name={name} value={value} />
    ))}
    <button type="submit" class={kind} data-key={shortcut} data-act={act}>
      {children}
    </button>
  </Form>
);

interface ConfirmProps {
  /** Unique on the page. */
  id: string;
  /** The label of the button that opens the dialog. */
  label: string;
  title: string;
  action: string;
  /** The label of the button that confirms. */
  confirm: string;
  fields?: Record<string, string>;
  kind?: "plain" | "danger";
  /** As a form's. */
  revision?: number | null;
}

/** Asks before it posts, in a dialog that the browser opens without a script. */
export const ConfirmButton: FC<PropsWithChildren<ConfirmProps>> = ({
  id,
  label,
  title,
  action,
  confirm,
  fields = {},
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
        {Object.entries(fields).map(([name, value]) => (
          <input type="hidden" name={name} value={value} />
        ))}
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

/** Opened by a button with `{...{ commandfor: id, command: "show-modal" }}`. */
export const Dialog: FC<PropsWithChildren<{ id: string; title: string }>> = ({ id, title, children }) => (
  <dialog id={id} aria-labelledby={`${id}-title`}>
    <h2 id={`${id}-title`}>{title}</h2>
    {children}
  </dialog>
);

/** A text to copy, with a button that does so where scripts run. */
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
