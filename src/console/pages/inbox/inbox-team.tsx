import type { FC, PropsWithChildren } from "hono/jsx";
import type { ConversationRecord } from "../../../features/conversations/conversations.schemas.ts";
import type { MemberRecord } from "../../../features/members/members.schemas.ts";
import { PostButton } from "../../kit/actions.tsx";
import { Badge, LocalTime } from "../../kit/feedback.tsx";
import { Before } from "../../kit/forms/changes.tsx";
import { Form } from "../../kit/forms/form-fields.tsx";
import { Icon, type IconName } from "../../kit/icon.tsx";
import { useWorkspaceRequest } from "../../kit/request.ts";
import { formatTimeZone } from "../../kit/format.ts";
import { StatusUnlessOpen } from "../messages/conversation-parts.tsx";
import { composingPath } from "./list/inbox-query.ts";
import { snoozePresets } from "./snooze-presets.ts";

interface IconMenuProps {
  id: string;
  icon: IconName;
  label: string;
  shortcut?: string;
  act?: string;
  isAtEnd?: boolean;
}

export const IconMenu: FC<PropsWithChildren<IconMenuProps>> = ({ id, icon, label, isAtEnd = false, ...props }) => (
  <details class={isAtEnd ? "menu end" : "menu"} id={id}>
    <summary data-key={props.shortcut} data-act={props.act} title={label}>
      <Icon name={icon} />
      <span class="unseen">{label}</span>
    </summary>
    <div>{props.children}</div>
  </details>
);

const ChangeButton: FC<
  PropsWithChildren<{
    id: string;
    fields: Record<string, string>;
    act: string;
    shortcut?: string;
    kind?: "plain" | "quiet";
  }>
> = ({ id, kind = "quiet", ...props }) => (
  <PostButton action={composingPath(useWorkspaceRequest(), `${id}/change`)} kind={kind} {...props} />
);

const AssignMenu: FC<{ conversation: ConversationRecord; members: MemberRecord[] }> = ({ conversation, members }) => {
  const { id, assignee_id: assigneeId, assignee_name: name } = conversation;
  const me = useWorkspaceRequest().session.user.id;
  const others = members.filter(({ user_id: userId }) => userId !== me && userId !== assigneeId);
  return (
    <IconMenu
      isAtEnd
      id="assign-menu"
      icon="user-plus"
      label={assigneeId === null ? "Assign" : `Assigned to ${assigneeId === me ? "you" : name}`}
      shortcut="a"
      act="Assign …"
    >
      <p class="help">{assigneeId === null ? "Unassigned" : `Assigned to ${assigneeId === me ? "you" : name}`}</p>
      {assigneeId !== me && (
        <ChangeButton id={id} fields={{ assignee_id: me }} act="Assign to me">
          Assign to me
        </ChangeButton>
      )}
      {others.map(({ user_id: userId, name: other }) => (
        <ChangeButton id={id} fields={{ assignee_id: userId }} act={`Assign to ${other}`}>
          {other}
        </ChangeButton>
      ))}
      {assigneeId !== null && (
        <ChangeButton id={id} fields={{ assignee_id: "" }} act="Unassign">
          Nobody
        </ChangeButton>
      )}
    </IconMenu>
  );
};

/**
 * Explains in which time zone "morning" is. If the reader has the workspace's time zone, a script removes this
 * text.
 */
export const MorningZone: FC = () => {
  const zone = useWorkspaceRequest().workspace.time_zone;
  return (
    <p class="help" data-unless-zone={zone}>
      “Tomorrow morning” and “Next week” mean 9:00 in {formatTimeZone(zone)}, the workspace's time zone.
    </p>
  );
};

const SnoozeMenu: FC<{ conversation: ConversationRecord }> = ({ conversation: { id, snoozed_until: until } }) => {
  const request = useWorkspaceRequest();
  return (
    <IconMenu
      isAtEnd
      id="snooze-menu"
      icon="alarm-clock"
      label={until === null ? "Snooze" : "Snoozed"}
      shortcut="z"
      act="Snooze …"
    >
      {until !== null && (
        <>
          <p class="help">
            Snoozed until <LocalTime at={until} />
          </p>
          <ChangeButton id={id} fields={{ snoozed_until: "" }} act="Unsnooze">
            Unsnooze
          </ChangeButton>
        </>
      )}
      {snoozePresets(request.ctx.now(), request.workspace.time_zone).map(({ label, at }) => (
        <ChangeButton
          id={id}
          fields={{ snoozed_until: new Date(at).toISOString() }}
          act={`Snooze: ${label.toLowerCase()}`}
        >
          {label}
          <span class="help">
            <LocalTime at={at} />
          </span>
        </ChangeButton>
      ))}
      <MorningZone />
      <Form action={composingPath(request, `${id}/snooze`)} class="menu-form">
        <label for="snooze-until">Until</label>
        <input id="snooze-until" type="datetime-local" name="snoozed_until" required aria-describedby="snooze-zone" />
        <span id="snooze-zone" class="help" data-moment="snoozed_until">
          Enter it in UTC.
        </span>
        <button type="submit" class="plain">
          Snooze
        </button>
      </Form>
    </IconMenu>
  );
};

const LabelsMenu: FC<{ conversation: ConversationRecord }> = ({ conversation: { id, labels } }) => (
  <IconMenu isAtEnd id="labels-menu" icon="tag" label="Labels" shortcut="#" act="Edit labels …">
    <Form action={composingPath(useWorkspaceRequest(), `${id}/labels`)} class="menu-form">
      <Before name="labels" now={[labels.join(", ")]} />
      <label for="labels">Labels, separated by commas</label>
      <input id="labels" type="text" name="labels" value={labels.join(", ")} maxlength={1300} autocomplete="off" />
      <button type="submit" class="plain">
        Save
      </button>
    </Form>
  </IconMenu>
);

export const ThreadMarks: FC<{ conversation: ConversationRecord }> = ({ conversation }) => {
  const { assignee_id: assigneeId, assignee_name: name, labels } = conversation;
  const me = useWorkspaceRequest().session.user.id;
  return (
    <>
      <StatusUnlessOpen of={conversation} />
      {assigneeId !== null && <Badge tone="info">{assigneeId === me ? "Yours" : `Assigned to ${name}`}</Badge>}
      {labels.map((label) => (
        <Badge>{label}</Badge>
      ))}
    </>
  );
};

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
      <ChangeButton
        id={id}
        fields={{ status: isOpen ? "done" : "open" }}
        act={isOpen ? "Mark done" : "Reopen"}
        shortcut="e"
        kind="plain"
      >
        <Icon name={isOpen ? "check" : "rotate-ccw"} /> {isOpen ? "Mark done" : "Reopen"}
      </ChangeButton>
    </>
  );
};
