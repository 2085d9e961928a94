// Toasts: notices that disappear after ten seconds. `elements.client.js` adds more.
import type { FC } from "hono/jsx";
import { PostButton } from "../actions.tsx";
import { Links } from "../feedback.tsx";
import { Icon } from "../icon.tsx";
import type { Notice } from "./notice.ts";
import type { PageRequest } from "../request.ts";

export const Toast: FC<{ notice: Notice }> = ({ notice }) => (
  <div class={`banner ${notice.kind}`} role={notice.kind === "error" ? "alert" : "status"}>
    <Icon name={notice.kind === "error" ? "circle-alert" : "circle-check"} />
    <span>
      {notice.text}
      {notice.links.length > 0 && (
        <>
          {" "}
          <Links links={notice.links} />.
        </>
      )}
    </span>
    {notice.undo !== null && (
      <PostButton action={notice.undo.action} fields={notice.undo.fields} kind="quiet">
        Undo
      </PostButton>
    )}
    <button type="button" class="quiet icon-only needs-script" data-dismiss>
      <Icon name="x" />
      <span class="unseen">Dismiss</span>
    </button>
  </div>
);

/** The toast area, with the previous request's notice. Errors appear here only on pages with panes. */
export const Toasts: FC<{ request: PageRequest; pane: string | undefined }> = ({ request: { notice }, pane }) => (
  <div id="toasts" class="toasts" aria-live="polite">
    {notice !== null && (notice.kind === "done" || pane !== undefined) && <Toast notice={notice} />}
  </div>
);
