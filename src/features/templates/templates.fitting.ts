// A template's fitness to be sent, at all and through a connection. Pure.
import { AppError } from "../../shared/errors.ts";
import { describeMissing, missingParts } from "./templates.external.ts";
import type { TemplateRecord } from "./templates.schemas.ts";

/** A connection that is gone has no channel: it is checked when the message is queued. */
interface SendingConnection {
  id: string;
  channel: "official" | "unofficial" | undefined;
}

/** True where a template may go through a connection: a local one through any unofficial one, an external one through its own. */
export const fitsConnection = (
  { source, connection_id }: Pick<TemplateRecord, "source" | "connection_id">,
  { id, channel }: SendingConnection,
): boolean => (source === "local" ? channel !== "official" : connection_id === id);

/** The refusal of a template that cannot be sent complete: it needs more than text. Null for any other. */
export function refuseIncomplete(template: Pick<TemplateRecord, "components">): AppError | null {
  const missing = missingParts(template);
  if (missing.length === 0) return null;
  const message = `This template needs ${describeMissing(missing)}, which cannot be given yet. Use another template.`;
  return new AppError("channel_mismatch", message, { missing });
}

const MISFITS = {
  local: "A local template goes only through an unofficial connection. Use one, or an external template.",
  external: "An external template goes only through the connection it belongs to. Use a key of that connection.",
};

/** The refusal of a template that this connection cannot send, whatever it is filled in with. Null where it can. */
export function refuseTemplate(
  template: Pick<TemplateRecord, "status" | "source" | "connection_id" | "components">,
  connection: SendingConnection,
): AppError | null {
  const { status, source } = template;
  if (status !== "APPROVED") {
    const message = "The provider has not approved this template. Sync the connection if that has changed.";
    return new AppError("template_not_approved", message, { status });
  }
  if (!fitsConnection(template, connection)) return new AppError("channel_mismatch", MISFITS[source]);
  return refuseIncomplete(template);
}

/** The refusal where variables have no value. */
export function refuseMissingVariables(variables: string[]): AppError {
  const names = variables.slice(0, 5).join(", ");
  const message = `There is no value for ${names}, and nothing is sent blank. Send it in variables.`;
  return new AppError("missing_variable", message, { variables });
}
