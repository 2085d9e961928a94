import { and, desc, eq, exists, isNull, or, type SQL, sql, type SQLWrapper } from "drizzle-orm";
import { campaigns, customFields, segments, tags, templates } from "../../db/schema/index.ts";
import { transact } from "../../db/statement.ts";
import type { Ctx } from "../../shared/context.ts";
import { notFound } from "../../shared/errors.ts";
import { isUnfinishedStatus } from "../templates/templates.sql.ts";

export interface NamedRecord {
  id: string;
  name: string;
}

export interface Uses {
  name: string;
  segments: NamedRecord[];
  campaigns: NamedRecord[];
  templates: NamedRecord[];
}

const MAX_NAMES = 20;

const selectUnfinishedNames = ({ db, workspace }: Ctx, condition: SQL | undefined) =>
  db
    .select({ id: campaigns.id, name: campaigns.name })
    .from(campaigns)
    .where(and(eq(campaigns.workspaceId, workspace.id), isUnfinishedStatus(sql`${campaigns.status}`), condition))
    .orderBy(desc(campaigns.id))
    .limit(MAX_NAMES);

const usesNumber = (filter: SQLWrapper, list: "tags" | "fields", number: SQLWrapper): SQL =>
  sql`EXISTS (SELECT 1 FROM json_each(${filter}, ${`$.${list}`}) e WHERE e.value ->> 'number' = ${number})`;

function selectFilterUses(ctx: Ctx, list: "tags" | "fields", number: SQLWrapper) {
  const isInSegment = and(eq(segments.workspaceId, ctx.workspace.id), usesNumber(segments.filter, list, number));
  const segment = ctx.db
    .select({ id: segments.id })
    .from(segments)
    .where(and(eq(segments.id, sql`${campaigns.audience} ->> 'segmentId'`), isInSegment));
  const ownFilter = sql`(${campaigns.audience} -> 'filter')`;
  return {
    segments: ctx.db
      .select({ id: segments.id, name: segments.name })
      .from(segments)
      .where(isInSegment)
      .orderBy(desc(segments.id))
      .limit(MAX_NAMES),
    campaigns: selectUnfinishedNames(ctx, or(usesNumber(ownFilter, list, number), exists(segment))),
  };
}

export async function findUsesOfTag(ctx: Ctx, id: string): Promise<Uses> {
  const isTag = and(eq(tags.id, id), eq(tags.workspaceId, ctx.workspace.id), isNull(tags.deletedAt));
  const { tag, ...uses } = await transact(ctx.db, {
    tag: ctx.db.select({ name: tags.name }).from(tags).where(isTag),
    ...selectFilterUses(ctx, "tags", ctx.db.select({ number: tags.number }).from(tags).where(isTag)),
  });
  if (tag[0] === undefined) throw notFound("tag");
  return { ...tag[0], ...uses, templates: [] };
}

export async function findUsesOfCustomField(ctx: Ctx, id: string): Promise<Uses & { key: string }> {
  const { db, workspace } = ctx;
  const isField = and(
    eq(customFields.id, id),
    eq(customFields.workspaceId, workspace.id),
    isNull(customFields.deletedAt),
  );
  const key = db.select({ key: customFields.fieldKey }).from(customFields).where(isField);
  const { field, ...uses } = await transact(db, {
    field: db.select({ name: customFields.label, key: customFields.fieldKey }).from(customFields).where(isField),
    ...selectFilterUses(ctx, "fields", db.select({ number: customFields.number }).from(customFields).where(isField)),
    templates: db
      .select({ id: templates.id, name: templates.name })
      .from(templates)
      .where(
        and(
          eq(templates.workspaceId, workspace.id),
          sql`EXISTS (SELECT 1 FROM json_each(${templates.variables}) v WHERE v.value = ${key})`,
        ),
      )
      .orderBy(desc(templates.id))
      .limit(MAX_NAMES),
  });
  if (field[0] === undefined) throw notFound("custom field");
  return { ...field[0], ...uses };
}

export async function findUsesOfTemplate(ctx: Ctx, id: string): Promise<Uses> {
  const { template, ...uses } = await transact(ctx.db, {
    template: ctx.db
      .select({ name: templates.name })
      .from(templates)
      .where(and(eq(templates.id, id), eq(templates.workspaceId, ctx.workspace.id))),
    campaigns: selectUnfinishedNames(ctx, eq(campaigns.templateId, id)),
  });
  if (template[0] === undefined) throw notFound("template");
  return { ...template[0], ...uses, segments: [], templates: [] };
}
