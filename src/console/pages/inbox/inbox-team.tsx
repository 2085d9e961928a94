// Team work in the head of a thread: done, assign, snooze, label.
import type { FC, PropsWithChildren } from "hono/jsx";
import type { ConversationRecord } from "../../../features/conversations/conversations.schemas.ts";
import type { MemberRecord } from "../../../features/members/members.schemas.ts";
import { DAY_MS, HOUR_MS } from "../../../shared/durations.ts";
import { PostButton } from "../../kit/actions.tsx";
import { LocalTime } from "../../kit/feedback.tsx";
import { Form } from "../../kit/form-fields.tsx";
import { Icon, type IconName } from "../../kit/icon.tsx";
import { useWorkspaceRequest } from "../../kit/request.ts";
import { inboxPath } from "./inbox-query.ts";

const MORNING_HOUR = 9;
const LATER_HOURS = 3;
const MONDAY = 1;

/** Times of the presets, in UTC; a script shows each in the reader's time zone. */
export function snoozePresets(now: number): { label: string; at: number }[] {
  const today = Math.floor(now / DAY_MS) * DAY_MS;
  const daysToMonday = (MONDAY + 7 - new Date(now).getUTCDay()) % 7 || 7;
  return [
    { label: "Later today", at: now + LATER_HOURS * HOUR_MS },
    { label: "Tomorrow", at: today + DAY_MS + MORNING_HOUR * HOUR_MS },
    { label: "Next week", at: today + daysToMonday * DAY_MS + MORNING_HOUR * HOUR_MS },
  ];
}

const Menu: FC<PropsWithChildren<{ id: string; icon: IconName; label: string; shortcut?: string }>> = ({
  id,
  icon,
  label,
  shortcut,
  children,
}) => (
  <details class="menu end" id={id}>
    <summary data-key={shortcut} title={label}>
      <Icon name={icon} />
      <span class="unseen">{label}</span>
    </summary>
    <div>{children}</div>
  </details>
);

const ChangeButton: FC<
  PropsWithChildren<{ id: string; fields: Record<string, string>; shortcut?: string; kind?: "plain" | "quiet" }>
> = ({ id, fields, shortcut, kind = "quiet", children }) => (
  <PostButton
    action={inboxPath(useWorkspaceRequest(), `${id}/change`)}
    fields={fields}
    kind={kind}
    {...(shortcut !== undefined && { shortcut })}
  >
    {children}
  </PostButton>
);

const AssignMenu: FC<{ conversation: ConversationRecord; members: MemberRecord[] }> = ({ conversation, members }) => {
  const { id, assignee_id: assigneeId, assignee_name: name } = conversation;
  const me = useWorkspaceRequest().session.user.id;
  const others = members.filter(({ user_id: userId }) => userId !== me && userId !== assigneeId);
  return (
    <Menu
      id="assign-menu"
      icon="user-plus"
      label={assigneeId === null ? "Assign" : `Assigned to ${assigneeId === me ? "you" : name}`}
      shortcut="a"
    >
      <p class="help">
        {assigneeId === null ? "Assigned to nobody" : `Assigned to ${assigneeId === me ? "you" : name}`}
      </p>
      {assigneeId !== me && (
        <ChangeButton id={id} fields={{ assignee_id: me }}>
          Assign to me
        </ChangeButton>
      )}
      {others.map(({ user_id: userId, name: other }) => (
        <ChangeButton id={id} fields={{ assignee_id: userId }}>
          {other}
        </ChangeButton>
      ))}
      {assigneeId !== null && (
        <ChangeButton id={id} fields={{ assignee_id: "" }}>
          Nobody
        </ChangeButton>
      )}
    </Menu>
  );
};

const SnoozeMenu: FC<{ conversation: ConversationRecord }> = ({ conversation: { id, snoozed_until: until } }) => {
  const request = useWorkspaceRequest();
  return (
    <Menu id="snooze-menu" icon="alarm-clock" label={until === null ? "Snooze" : "Snoozed"} shortcut="z">
      {until !== null && (
        <>
          <p class="help">
            Snoozed until <LocalTime at={until} />
          </p>
          <ChangeButton id={id} fields={{ snoozed_until: "" }}>
            End the snooze
          </ChangeButton>
        </>
      )}
      {snoozePresets(request.ctx.now()).map(({ label, at }) => (
        <ChangeButton id={id} fields={{ snoozed_until: new Date(at).toISOString() }}>
          {label}{" "}
          <span class="help">
            <LocalTime at={at} />
          </span>
        </ChangeButton>
      ))}
      <Form action={inboxPath(request, `${id}/change`)} class="menu-form">
        <label for="snooze-until">Until</label>
        <input id="snooze-until" type="datetime-local" name="snoozed_until" required aria-describedby="snooze-zone" />
        <span id="snooze-zone" class="help" data-moment="snoozed_until">
          Give it in UTC.
        </span>
        <button type="submit" class="plain">
          Snooze
        </button>
      </Form>
    </Menu>
  );
};

const LabelsMenu: FC<{ conversation: ConversationRecord }> = ({ conversation: { id, labels } }) => (
  <Menu id="labels-menu" icon="tag" label="Labels" shortcut="l">
    <Form action={inboxPath(useWorkspaceRequest(), `${id}/change`)} class="menu-form">
      <label for="labels">Labels, with commas between</label>
      <input id="labels" type="text" name="labels" value={labels.join(", ")} maxlength={1300} autocomplete="off" />
      <button type="submit" class="plain">
        Save
      </button>
    </Form>
  </Menu>
);

/** What can be done with a conversation, in the head of its thread. */
export const TeamActs: FC<{ conversation: ConversationRecord; members: MemberRecord[] }> = ({
  conversation,
  members,
}) => {
  const { id, status } = conversation;
  const isOpen = status === "open";
  return (
    <>
      <AssignMenu conversation={conversation} members={members} />
      <SnoozeMenu conversation={conversation} />
      <LabelsMenu conversation={conversation} />
      <ChangeButton id={id} fields={{ status: isOpen ? "done" : "open" }} shortcut="e" kind="plain">
        <Icon name={isOpen ? "check" : "rotate-ccw"} /> {isOpen ? "Mark done" : "Reopen"}
      </ChangeButton>
    </>
  );
};
