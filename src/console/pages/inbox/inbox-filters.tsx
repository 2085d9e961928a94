// The filters of the list of conversations, and what can be done with those that are ticked.
import type { FC } from "hono/jsx";
import { Form } from "../../kit/form-fields.tsx";
import { useWorkspaceRequest } from "../../kit/request.ts";
import { inboxPath, type InboxQuery } from "./inbox-query.ts";

const STATUSES = [
  ["open", "Open"],
  ["snoozed", "Snoozed"],
  ["done", "Done"],
  ["all", "All"],
] as const;

const ASSIGNEES = [
  ["", "All"],
  ["me", "Mine"],
  ["none", "Unassigned"],
] as const;

const Segments: FC<{
  name: string;
  legend: string;
  options: readonly (readonly [string, string])[];
  chosen: string;
}> = ({ name, legend, options, chosen }) => (
  <fieldset class="segmented">
    <legend class="unseen">{legend}</legend>
    {options.map(([value, label]) => (
      <label>
        <input type="radio" name={name} value={value} checked={value === chosen} />
        <span>{label}</span>
      </label>
    ))}
  </fieldset>
);

export const InboxFilters: FC<{ query: InboxQuery }> = ({
  query: { status, unread, mentioned, search, assignee = "", label },
}) => (
  <form
    method="get"
    action={useWorkspaceRequest().url.pathname}
    class="inbox-filters"
    role="search"
    data-swap="conversations"
    data-live
  >
    <div class="search-row">
      <label class="unseen" for="inbox-search">
        Search by name, phone or words of messages
      </label>
      <input
        id="inbox-search"
        type="search"
        name="search"
        value={search ?? ""}
        placeholder="Name, phone or words"
        maxlength={100}
        autocomplete="off"
      />
      <button type="submit" class="plain">
        Search
      </button>
    </div>
    <div class="search-row">
      <Segments name="assignee" legend="Assigned to" options={ASSIGNEES} chosen={assignee} />
      <label class="tick">
        <input type="checkbox" name="unread" value="true" checked={unread === true} /> Unread
      </label>
      <label class="tick">
        <input type="checkbox" name="mentioned" value="true" checked={mentioned === true} /> Mentions
      </label>
    </div>
    <div class="search-row">
      <Segments name="status" legend="Status" options={STATUSES} chosen={status} />
      {label !== undefined && (
        <label class="tick">
          <input type="checkbox" name="label" value={label} checked /> {label}
        </label>
      )}
    </div>
  </form>
);

/** Shown once conversations of the list are ticked: their boxes belong to this form. */
export const BulkBar: FC<{ status: InboxQuery["status"] }> = ({ status }) => {
  const request = useWorkspaceRequest();
  return (
    <Form id="bulk" action={inboxPath(request, "bulk")} class="bulk-bar">
      <button type="submit" name="act" value={status === "done" ? "open" : "done"} class="plain">
        {status === "done" ? "Reopen" : "Mark done"}
      </button>
      <button type="submit" name="act" value={request.session.user.id} class="plain">
        Assign to me
      </button>
      <button type="submit" name="act" value="nobody" class="plain">
        Unassign
      </button>
      <button type="reset" class="quiet">
        Clear
      </button>
    </Form>
  );
};
