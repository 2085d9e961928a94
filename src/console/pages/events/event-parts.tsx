import type { FC } from "hono/jsx";
import type { EventView } from "../../../features/event-feed/event-feed.schemas.ts";
import { eventKinds, reservedTypes } from "../../../features/events/events.types.ts";
import { formatCount, formatValue, toLabel } from "../../kit/format.ts";
import type { Option } from "../../kit/forms/form-fields.tsx";
import { useWorkspaceRequest } from "../../kit/request.ts";

export const EVENTS_PATH = "/settings/events";

const MAX_CHANGES = 4;

export const eventTypeOptions: readonly Option[] = Object.entries(eventKinds).flatMap(([object, { types: verbs }]) => [
  { value: `${object}.*`, label: `${toLabel(object)}: all` },
  ...Object.keys(verbs)
    .map((verb) => `${object}.${verb}`)
    .filter((type) => !reservedTypes.includes(type))
    .map((type) => ({ value: type, label: type })),
]);

interface LinkedObject {
  name: string;
  path: string;
}

const person = ({ name, phone }: { name: string | null; phone: string | null }): string =>
  name ?? phone ?? "Contact without a number";

function findObject({ data, object_id: id }: EventView): LinkedObject | null {
  const {
    message,
    conversation,
    contact,
    campaign,
    template,
    tag,
    custom_field,
    segment,
    webhook,
    connection,
    api_key,
  } = data;
  if (message)
    return {
      name: message.body === "" ? "Message" : message.body,
      path: message.conversation_id === null ? `/contacts/${message.contact_id}` : `/inbox/${message.conversation_id}`,
    };
  if (conversation) return { name: person(conversation.contact), path: `/inbox/${id}` };
  if (contact) return { name: person(contact), path: `/contacts/${id}` };
  if (campaign) return { name: campaign.name, path: `/campaigns/${id}` };
  if (template) return { name: template.name, path: `/templates/${id}` };
  if (tag) return { name: tag.name, path: "/settings/tags" };
  if (custom_field) return { name: custom_field.label, path: `/settings/custom-fields/${id}` };
  if (segment) return { name: segment.name, path: `/segments/${id}` };
  if (webhook) return { name: webhook.description ?? webhook.url, path: `/settings/webhooks/${id}` };
  if (connection) return { name: connection.name, path: `/settings/connections/${id}` };
  return api_key ? { name: api_key.name, path: "/settings/api-keys" } : null;
}

export const EventObjectLink: FC<{ event: EventView }> = ({ event }) => {
  const { path } = useWorkspaceRequest();
  const object = findObject(event);
  if (object === null)
    return (
      <>
        <code>{event.object_id}</code> <span class="help">no longer exists</span>
      </>
    );
  return (
    <a class="cut" href={path(object.path)} id={`about-${event.id}`}>
      {object.name}
    </a>
  );
};

export const ChangedValue: FC<{ value: unknown }> = ({ value }) => {
  const text = formatValue(value);
  return text === "" ? <span class="help">nothing</span> : <span>{text}</span>;
};

export const ChangeSummary: FC<{ event: EventView }> = ({ event: { changes } }) => {
  const fields = Object.entries(changes ?? {});
  return (
    <ul class="changes">
      {fields.slice(0, MAX_CHANGES).map(([name, [before, after]]) => (
        <li>
          <span class="help">{name}:</span>{" "}
          {before !== null && (
            <>
              <ChangedValue value={before} /> →{" "}
            </>
          )}
          <ChangedValue value={after} />
        </li>
      ))}
      {fields.length > MAX_CHANGES && (
        <li class="help">and {formatCount(fields.length - MAX_CHANGES, "more field")}</li>
      )}
    </ul>
  );
};
