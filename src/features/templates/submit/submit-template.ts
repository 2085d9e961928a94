import { TemplateNameTaken } from "../../../channels/channel.ts";
import { readComponents, type TemplateCardParts } from "../../../channels/templates/components.ts";
import { transact } from "../../../db/statement.ts";
import type { Ctx } from "../../../shared/context.ts";
import { sha256Hex } from "../../../shared/security/crypto.ts";
import { AppError, notFound } from "../../../shared/errors.ts";
import { isSameJson } from "../../../shared/text/json.ts";
import { log } from "../../../shared/logger.ts";
import { decideAndCommit } from "../../commits/decide-and-commit.ts";
import { selectConnection, selectDeletedConnection, noteTemplateChange } from "../../connections/connections.sql.ts";
import { REPEATABLE_MS } from "../../idempotency/idempotency.days.ts";
import { findReplay, requestKey, selectReplay } from "../../idempotency/idempotency.service.ts";
import {
  callTemplateProvider,
  openTemplateProvider,
  type TemplateProvider,
  trySyncSoon,
  checkExamples,
  uploadExamples,
} from "./template-provider.ts";
import { externalTemplateOf, syncTemplates } from "../sync/sync-templates.ts";
import { selectTemplateFiles, insertTemplate, selectNamedTemplate } from "../templates.sql.ts";
import { newExternalTemplate, templateCreated } from "../templates.changes.ts";
import { exampleFiles, withoutHandles } from "./example-files.ts";
import { parametersIn } from "./component-rules.ts";
import { type TemplateRecord, templateRecord, type TemplateSubmission } from "../templates.schemas.ts";

const nameTakenError = (templateId: string): AppError =>
  new AppError("conflict", "The connection already has a template with this name in this language.", {
    field: "name",
    template_id: templateId,
  });

/**
 * Returns the parts that the provider stores unchanged, so that we can compare a submitted template with a stored one.
 * The provider replaces other parts, such as the text of one-time passwords.
 */
function outlineOf(components: readonly unknown[]): unknown {
  const outline = ({ header, body, buttons }: TemplateCardParts) => ({
    header: header && [header.kind, header.text],
    body: body?.text,
    buttons: buttons.map(({ type, text, url, phone_number }) => [type, text, url, phone_number]),
  });
  const { footer, cards, ...parts } = readComponents(components);
  const isOneTime = parts.buttons.some(({ type }) => type === "OTP");
  return isOneTime ? { isOneTime, footer: footer !== null } : [outline(parts), footer?.text, cards.map(outline)];
}

async function noteKey(ctx: Ctx): Promise<string | null> {
  const key = requestKey(ctx);
  return key === null ? null : `template-submission:${await sha256Hex(new TextEncoder().encode(key))}`;
}

/**
 * Notes that this request submits the template. If the provider's response is lost, a repeat of the request fails at
 * the provider, because the name is in use. The repeat finds the note and returns the template that already exists.
 */
async function noteSubmission(ctx: Ctx): Promise<void> {
  const key = await noteKey(ctx);
  if (key !== null) await ctx.cache.put(key, { at: ctx.now() }, { ttlSeconds: REPEATABLE_MS / 1000 });
}

async function replayTaken(ctx: Ctx, input: TemplateSubmission, holder: TemplateRecord): Promise<TemplateRecord> {
  const key = await noteKey(ctx);
  const isRepeat = key !== null && (await ctx.cache.get(key)) !== null;
  if (!isRepeat || !isSameJson(outlineOf(input.components), outlineOf(holder.components)))
    throw nameTakenError(holder.id);
  return decideAndCommit(ctx, {
    shape: templateRecord,
    reads: {},
    expectsNothing: true,
    decide: () => ({ writes: [], events: [], answer: holder }),
  });
}

async function replayNameTaken(
  ctx: Ctx,
  { connection: { id, provider } }: TemplateProvider,
  input: TemplateSubmission,
  { detail, providerCode }: TemplateNameTaken,
): Promise<TemplateRecord> {
  await syncTemplates(ctx, id).catch((error: unknown) =>
    log.error("template_holder_not_fetched", { connectionId: id, error }),
  );
  const [holder] = await selectNamedTemplate(ctx, input);
  if (holder !== undefined) return replayTaken(ctx, input, holder);
  const details = { provider, provider_code: providerCode, detail };
  throw new AppError("provider_error", `The provider rejected the request: ${detail}`, details);
}

async function submit(ctx: Ctx, provider: TemplateProvider, input: TemplateSubmission): Promise<TemplateRecord> {
  const { channel, opened, io } = provider;
  const { name, language, category, connection_id } = input;
  const components = await uploadExamples(ctx, provider, input.components);
  const draft = { name, language, category, parameters: parametersIn(input.components), components };
  await noteSubmission(ctx);
  const at = ctx.now();
  const submitted = await callTemplateProvider(ctx, provider, channel.createTemplate?.(opened, draft, io));
  const stored = externalTemplateOf(ctx, {
    ...draft,
    ...submitted,
    category: submitted.category ?? category,
    components: withoutHandles(components),
  });
  const template = newExternalTemplate(stored, connection_id, at);
  return decideAndCommit(ctx, {
    shape: templateRecord,
    reads: { deleted: selectDeletedConnection(ctx, connection_id), holders: selectNamedTemplate(ctx, input) },
    expectsNothing: true,
    decide({ deleted, holders: [holder] }) {
      if (deleted.length > 0) return notFound("connection");
      const note = noteTemplateChange(ctx, connection_id);
      // A sync has already stored the template. Its data is newer than ours, so we keep it.
      if (holder !== undefined) return { writes: [note], events: [], answer: holder };
      return {
        writes: [insertTemplate(ctx, template, stored.providerId), note],
        events: [templateCreated(template)],
        answer: template,
      };
    },
  }).catch(async (error: unknown) => {
    await trySyncSoon(ctx, connection_id);
    throw error;
  });
}

export async function submitTemplate(ctx: Ctx, input: TemplateSubmission): Promise<TemplateRecord> {
  const { connections, holders, files, replays } = await transact(ctx.db, {
    connections: selectConnection(ctx, input.connection_id),
    holders: selectNamedTemplate(ctx, input),
    files: selectTemplateFiles(
      ctx,
      exampleFiles(input.components).map(({ mediaId }) => mediaId),
    ),
    replays: selectReplay(ctx),
  });
  const replay = findReplay(ctx, replays, templateRecord);
  if (replay !== null) return replay;
  const [connection] = connections;
  if (connection === undefined) throw notFound("connection");
  const provider = await openTemplateProvider(ctx, connection);
  checkExamples(provider, input.components, files);
  const [holder] = holders;
  if (holder !== undefined) return replayTaken(ctx, input, holder);
  try {
    return await submit(ctx, provider, input);
  } catch (error) {
    if (error instanceof TemplateNameTaken) return replayNameTaken(ctx, provider, input, error);
    throw error;
  }
}
