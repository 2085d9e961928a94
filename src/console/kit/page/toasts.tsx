import type { FC } from "hono/jsx";
import { PostButton } from "../actions.tsx";
import { Links } from "../feedback.tsx";
import { Icon } from "../icon.tsx";
import type { Notice } from "./notice.ts";
import type { PageRequest } from "../request.ts";

export const NoticeText: FC<{ notice: Notice }> = ({ notice: { text, links } }) => (
  <>
    {text}
    {links.length > 0 && (
      <>
        {" "}
        <Links links={links} />.
      </>
    )}
  </>
);

export const Toast: FC<{ notice: Notice }> = ({ notice }) => (
  <div class={`banner ${notice.kind}`} role={notice.kind === "error" ? "alert" : "status"}>
    <Icon name={notice.kind === "error" ? "circle-alert" : "circle-check"} />
    <span>
      <NoticeText notice={notice} />
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

/**
 * Success notices are toasts. Error notices are toasts only on pages with panes, which have no other space for
 * them.
 */
export const Toasts: FC<{ request: PageRequest; pane: string | undefined }> = ({ request: { notice }, pane }) => (
  <div id="toasts" class="toasts" aria-live="polite">
    {notice !== null && (notice.kind === "done" || pane !== undefined) && <Toast notice={notice} />}
  </div>
);
