import { fetchRows } from "../../db/statement.ts";
import type { Ctx } from "../../shared/context.ts";
import { AppError } from "../../shared/errors.ts";
import { hasOwn } from "../../shared/security/own.ts";
import { changeRecord, requireRow } from "../commits/change-record.ts";
import { decideAndCommit } from "../commits/decide-and-commit.ts";
import { changeExternalTemplate, deleteExternalTemplate } from "./submit/change-external-template.ts";
import { submitTemplate } from "./submit/submit-template.ts";
import {
  changeLocalTemplate,
  localNameTaken,
  newLocalTemplate,
  templateCreated,
  templateInUse,
} from "./templates.changes.ts";
import { type NewTemplate, type TemplatePatch, type TemplateRecord, templateRecord } from "./templates.schemas.ts";
import {
  deleteTemplateRow,
  insertTemplate,
  selectComponentsByIds,
  selectLocalNameHolder,
  selectSendingCampaign,
  selectTemplate,
  selectTemplates,
  type TemplateFilter,
  updateTemplateRow,
} from "./templates.sql.ts";

const KIND = "template";

export const listTemplates = (ctx: Ctx, filter: TemplateFilter): Promise<TemplateRecord[]> =>
  fetchRows(ctx.db, selectTemplates(ctx, filter));

export async function getTemplate(ctx: Ctx, id: string): Promise<TemplateRecord> {
  return requireRow(await fetchRows(ctx.db, selectTemplate(ctx, id)), KIND);
}

export async function findTemplateComponents(
  ctx: Ctx,
  ids: readonly string[],
): Promise<Map<string, readonly unknown[]>> {
  const wanted = [...new Set(ids)];
  const rows = wanted.length === 0 ? [] : await fetchRows(ctx.db, selectComponentsByIds(ctx, wanted));
  return new Map(rows.map(({ id, components }) => [id, components]));
}

function createLocal(ctx: Ctx, input: { name: string; body: string }): Promise<TemplateRecord> {
  const template = newLocalTemplate(ctx.newId("tpl"), input, ctx.now());
  return decideAndCommit(ctx, {
    shape: templateRecord,
    reads: { holders: selectLocalNameHolder(ctx, input.name) },
    expectsNothing: true,
    decide({ holders: [holder] }) {
      if (holder !== undefined) return localNameTaken(holder.id);
      return { writes: [insertTemplate(ctx, template, null)], events: [templateCreated(template)], answer: template };
    },
  });
}

export const createTemplate = (ctx: Ctx, input: NewTemplate): Promise<TemplateRecord> =>
  hasOwn(input, "body") ? createLocal(ctx, input) : submitTemplate(ctx, input);

export async function updateTemplate(ctx: Ctx, id: string, patch: TemplatePatch): Promise<TemplateRecord> {
  const { name, category, components } = patch;
  if (category !== undefined || components !== undefined) return changeExternalTemplate(ctx, id, patch);
  const now = ctx.now();
  return changeRecord(ctx, {
    kind: KIND,
    shape: templateRecord,
    record: selectTemplate(ctx, id),
    reads: {
      holders: name === undefined ? undefined : selectLocalNameHolder(ctx, name),
      campaigns: selectSendingCampaign(ctx, id),
    },
    decide(template, { holders: [holder], campaigns: [campaign] }) {
      const changed = changeLocalTemplate(template, { holder, campaign }, patch, now);
      if (changed instanceof AppError) return changed;
      return {
        writes: updateTemplateRow(ctx, template, changed.template),
        events: changed.events,
        answer: changed.template,
      };
    },
  });
}

const STORED_BY_PROVIDER = new AppError("channel_mismatch", "The provider stores this template.");

const deleteLocal = (ctx: Ctx, id: string): Promise<TemplateRecord> =>
  changeRecord(ctx, {
    kind: KIND,
    shape: templateRecord,
    record: selectTemplate(ctx, id),
    reads: { campaigns: selectSendingCampaign(ctx, id) },
    decide(template, { campaigns: [campaign] }) {
      if (template.source === "external") return STORED_BY_PROVIDER;
      if (campaign !== undefined) return templateInUse(campaign.id);
      return { writes: [deleteTemplateRow(ctx, id)], events: [{ type: "template.deleted", id }], answer: template };
    },
  });

export async function deleteTemplate(ctx: Ctx, id: string): Promise<TemplateRecord> {
  try {
    return await deleteLocal(ctx, id);
  } catch (error) {
    if (error === STORED_BY_PROVIDER) return deleteExternalTemplate(ctx, id);
    throw error;
  }
}
