import type { FC, Child } from "hono/jsx";
import { Icon } from "../../../kit/icon.tsx";
import type { MemberRecord } from "../../../../features/members/members.schemas.ts";
import { LocalTime } from "../../../kit/feedback.tsx";
import { Form } from "../../../kit/forms/form-fields.tsx";
import { useWorkspaceRequest } from "../../../kit/request.ts";
import { inboxPath, type InboxQuery } from "./inbox-query.ts";
import { MorningZone, IconMenu } from "../inbox-team.tsx";
import { snoozePresets } from "../snooze-presets.ts";

export const AlertSettings: FC = () => (
  <details class="menu end needs-script" id="alerts">
    <summary>
      <Icon name="bell" size="small" />
      <span class="unseen">Alerts</span>
    </summary>
    <div>
      <p class="help">When a message arrives, in this browser:</p>
      <label class="tick">
        <input type="checkbox" data-alert="sound" /> Play a sound
      </label>
      <label class="tick">
        <input type="checkbox" data-alert="notification" /> Show a notification
      </label>
      <p class="help" id="alerts-note" role="status"></p>
    </div>
  </details>
);

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

const MentionsFilter: FC<{ isOn: boolean }> = async ({ isOn }) => {
  const { mentions } = (await useWorkspaceRequest().countUnreadAndMentions()) ?? { mentions: 0 };
  return mentions === 0 && !isOn ? null : (
    <label class="tick">
      <input type="checkbox" name="mentioned" value="true" checked={isOn} /> Mentions of you
    </label>
  );
};

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
        Search by name, phone or message text
      </label>
      <input
        id="inbox-search"
        type="search"
        name="search"
        value={search ?? ""}
        placeholder="Name, phone or message text"
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
    </div>
    <div class="search-row">
      <Segments name="status" legend="Status" options={STATUSES} chosen={status} />
      <MentionsFilter isOn={mentioned === true} />
      {label !== undefined && (
        <label class="tick">
          <input type="checkbox" name="label" value={label} checked /> {label}
        </label>
      )}
    </div>
  </form>
);

export const BulkBar: FC<{ status: InboxQuery["status"]; members: MemberRecord[] }> = ({ status, members }) => {
  const request = useWorkspaceRequest();
  const me = request.session.user.id;
  const isDone = status === "done";
  const toggle = isDone ? "Reopen" : "Mark done";
  const act = (value: string, label: string, help?: Child) => (
    <button type="submit" name="act" value={value}>
      {label}
      {help !== undefined && <span class="help">{help}</span>}
    </button>
  );
  return (
    <Form id="bulk" action={inboxPath(request, "bulk")} class="bulk-bar">
      <span id="bulk-count" class="help" role="status"></span>
      {/* This menu must come first. Enter presses the first button of the form, and "Add" changes nothing if no
          label was entered. */}
      <IconMenu id="bulk-label" icon="tag" label="Label">
        <div class="menu-form">
          <label for="bulk-label-name">Add a label</label>
          <input id="bulk-label-name" type="text" name="label" maxlength={60} autocomplete="off" />
          {act("label", "Add")}
        </div>
      </IconMenu>
      <button type="submit" name="act" value={isDone ? "open" : "done"} class="quiet icon-only" title={toggle}>
        <Icon name={isDone ? "rotate-ccw" : "check"} />
        <span class="unseen">{toggle}</span>
      </button>
      <IconMenu id="bulk-assign" icon="user-plus" label="Assign">
        {act(`assign:${me}`, "Assign to me")}
        {members.filter(({ user_id: id }) => id !== me).map(({ user_id: id, name }) => act(`assign:${id}`, name))}
        {act("nobody", "Nobody")}
      </IconMenu>
      <IconMenu id="bulk-snooze" icon="alarm-clock" label="Snooze">
        {snoozePresets(request.ctx.now(), request.workspace.time_zone).map(({ label, at }) =>
          act(`snooze:${new Date(at).toISOString()}`, label, <LocalTime at={at} />),
        )}
        <MorningZone />
      </IconMenu>
      <button type="reset" class="quiet icon-only" title="Clear">
        <Icon name="x" />
        <span class="unseen">Clear</span>
      </button>
    </Form>
  );
};
