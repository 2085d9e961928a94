// Sends a message after uploading its files.
import * as z from "zod";
import { isSuccess, type UpstreamAnswer } from "../../shared/network/upstream.ts";
import { ANSWER_NOT_UNDERSTOOD, callToSend, messageError } from "../answers.ts";
import type { ChannelIo, OpenConnection, OutboundMessage, SendOutcome } from "../channel.ts";
import { lenientText } from "../lenient.ts";
import { isMediaContent } from "../content.ts";
import { idOf } from "../readable.ts";
import { cloudOutcomeOfFailure } from "./errors.ts";
import { idIn, postJson } from "./graph.ts";
import { type ProviderMediaIds, sentBody } from "./sent-bodies.ts";
import { mediaOfTemplate } from "./templates/sent-templates.ts";
import { isMediaLapsed, prepareMedia } from "./uploads.ts";

const accepted = z.object({
  messages: z.tuple([z.object({ id: z.string().min(1) })], z.unknown()),
  contacts: z.array(z.object({ wa_id: lenientText, user_id: lenientText })).catch([]),
});

/** The provider's ids of the recipient. An account id that equals the given number adds nothing. */
function userIdsIn({ to }: OutboundMessage, contacts: z.infer<typeof accepted>["contacts"]): { userIds?: string[] } {
  const [known] = contacts;
  const userIds = [known?.user_id, known?.wa_id].flatMap((id) => {
    const name = idOf(id);
    return name === null || name === to || `+${name}` === to ? [] : [name];
  });
  return userIds.length === 0 ? {} : { userIds };
}

function outcomeOf(message: OutboundMessage, answer: UpstreamAnswer): SendOutcome {
  if (!isSuccess(answer)) return cloudOutcomeOfFailure(answer);
  const { data } = accepted.safeParse(answer.json);
  if (data === undefined) return { kind: "lost", error: messageError("provider_unreachable", ANSWER_NOT_UNDERSTOOD) };
  const { id } = data.messages[0];
  return { kind: "accepted", providerMessageId: id, ...userIdsIn(message, data.contacts) };
}

/** Marketing templates may use a separate endpoint, by the connection's settings; the body is the same. */
const pathOf = ({ config }: OpenConnection, { template }: OutboundMessage): string =>
  template?.isMarketing === true && config["marketing_route"] === "marketing_messages"
    ? "marketing_messages"
    : "messages";

function mediaOf({ content, template }: OutboundMessage): string[] {
  if (template !== undefined) return mediaOfTemplate(template);
  return content !== undefined && isMediaContent(content) ? [content.content.media_id] : [];
}

/** Sends a message. If Meta reports that a file no longer exists, nothing was sent: uploads the file again and sends once more. */
export async function sendCloudMessage(
  connection: OpenConnection,
  message: OutboundMessage,
  io: ChannelIo,
): Promise<SendOutcome> {
  if (message.content?.type === "reaction" && message.replyTo === undefined)
    return {
      kind: "refused",
      error: messageError("provider_rejected", "The provider does not have the message to react to."),
    };
  const path = `${idIn(connection, "phone_number_id")}/${pathOf(connection, message)}`;
  const sendWith = (ids: ProviderMediaIds) =>
    callToSend(io.upstream, postJson(connection, path, sentBody(message, ids)), (answer) => outcomeOf(message, answer));
  const media = mediaOf(message);
  const prepared = await prepareMedia(connection, media, io);
  if (prepared.kind !== "prepared") return prepared;
  const outcome = await sendWith(prepared.ids);
  if (!prepared.isReused || !isMediaLapsed(outcome)) return outcome;
  const anew = await prepareMedia(connection, media, io, prepared.ids);
  return anew.kind === "prepared" ? sendWith(anew.ids) : anew;
}
