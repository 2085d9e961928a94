// The old address of a merged record.
import * as z from "zod";
import { statusOf } from "../../../http/response/errors.ts";
import { AppError } from "../../../shared/errors.ts";
import type { ScriptName } from "./assets.ts";
import { ButtonLink } from "../actions.tsx";
import { EmptyState } from "../feedback.tsx";
import { type HandlerResult, withStatus } from "../results.ts";
import { Page } from "./page.tsx";

interface MergedRecord {
  id: string;
  title: string;
  text: string;
  label: string;
  hrefOf: (remainingId: string) => string;
  scripts?: readonly ScriptName[];
}

const mergedDetails = z.object({ merged_into: z.string() });

/** Renders a record. If it was merged, renders a link to the remaining record instead. */
export async function showOrLeadOn(
  show: () => Promise<HandlerResult>,
  { id, title, text, label, hrefOf, scripts }: MergedRecord,
): Promise<HandlerResult> {
  try {
    return await show();
  } catch (error) {
    const into = error instanceof AppError ? mergedDetails.safeParse(error.details).data?.merged_into : undefined;
    if (!(error instanceof AppError) || into === undefined) throw error;
    const action = (
      <ButtonLink href={hrefOf(into)} kind="primary">
        {label}
      </ButtonLink>
    );
    return withStatus(
      statusOf[error.code],
      <Page title={title} scripts={scripts}>
        <div data-merged={id} data-into={into}>
          <EmptyState title={error.message} action={action}>
            {text}
          </EmptyState>
        </div>
      </Page>,
    );
  }
}
