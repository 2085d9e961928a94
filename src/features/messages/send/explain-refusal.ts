import { AppError } from "../../../shared/errors.ts";
import { customerServiceWindowEnd } from "../messages.customer-service-window.ts";
import type { SendCheck } from "./send-message.sql.ts";

const iso = (at: number | null) => (at === null ? null : new Date(at).toISOString());

/** The error that tells a caller why a message does not go now. Throws where nothing refuses it. */
export function explainRefusal({ refusal, contact_id, connection_status, last_inbound_at }: SendCheck): AppError {
  switch (refusal) {
    case "connection_inactive":
      return new AppError("invalid_state", "The connection cannot send now. Check it with a connection test.", {
        status: connection_status ?? "deleted",
      });
    case "no_address":
      return new AppError("invalid_state", "This contact has neither a number nor an id on this connection.", {
        status: "unreachable",
      });
    case "unsubscribed":
      return new AppError("unsubscribed", "This person has unsubscribed.", { contact_id });
    case "marketing_opt_out":
      return new AppError(
        "unsubscribed",
        "This person turned marketing messages off. Replies and templates of other categories still reach them.",
        { contact_id, reason: "marketing_opt_out" },
      );
    case "window_closed":
      return new AppError(
        "window_closed",
        "More than 24 hours have passed since this person last wrote. Send a template.",
        {
          last_inbound_at: iso(last_inbound_at),
          expired_at: iso(last_inbound_at === null ? null : customerServiceWindowEnd(last_inbound_at)),
        },
      );
    case null:
      throw new Error("A message was not queued though nothing refuses it.");
  }
}
