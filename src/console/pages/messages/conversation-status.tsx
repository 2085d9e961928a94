import type { FC } from "hono/jsx";
import type { ConversationRecord } from "../../../features/conversations/conversations.schemas.ts";
import { Badge, LocalTime } from "../../kit/feedback.tsx";
import { toLabel } from "../../kit/format.ts";

/** Open, done, or snoozed until a time. */
export const ConversationStatus: FC<{ of: ConversationRecord }> = ({ of: { status, snoozed_until: until } }) =>
  until === null ? (
    <Badge tone={status === "open" ? "info" : "plain"}>{toLabel(status)}</Badge>
  ) : (
    <Badge tone="info">
      Snoozed until <LocalTime at={until} />
    </Badge>
  );

/** Renders nothing for an open conversation that is not snoozed. */
export const StatusUnlessOpen: FC<{ of: ConversationRecord }> = ({ of }) =>
  of.status === "open" && of.snoozed_until === null ? null : <ConversationStatus of={of} />;
