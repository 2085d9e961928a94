import { sql } from "drizzle-orm";
import * as z from "zod";
import { columns } from "../../db/columns.ts";
import { media } from "../../db/schema/index.ts";
import { statement, type Statement } from "../../db/statement.ts";
import type { Ctx } from "../../shared/context.ts";
import { isVisible } from "../media/media-states.sql.ts";
import { mediaRecord } from "../media/media.schemas.ts";

const f = columns(media, "f");

const templateFile = mediaRecord.pick({ id: true, status: true, mime_type: true, bytes: true });

export type TemplateFile = z.infer<typeof templateFile>;

/** The workspace's files with these ids. No statement if there are no ids. */
export const selectTemplateFiles = (ctx: Ctx, ids: readonly string[]): Statement<TemplateFile>[] =>
  ids.length === 0
    ? []
    : [
        statement(
          templateFile,
          sql`
            SELECT ${f.id}, ${f.status}, ${f.mimeType}, ${f.bytes} FROM json_each(${JSON.stringify(ids)}) e
            CROSS JOIN media f ON ${f.id} = e.value AND ${f.workspaceId} = ${ctx.workspace.id} AND ${isVisible(f)}`,
        ),
      ];
