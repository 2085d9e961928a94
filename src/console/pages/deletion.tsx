// Asks before something is deleted, and lists the records that use it.
import type { Child, FC } from "hono/jsx";
import { countFilterContacts } from "../../features/segments/count-segment-contacts.ts";
import {
  findUsesOfCustomField,
  findUsesOfTag,
  findUsesOfTemplate,
  type Named,
} from "../../features/campaigns/find-uses.ts";
import type { Ctx } from "../../shared/context.ts";
import { AppError } from "../../shared/errors.ts";
import { ButtonLink } from "../kit/actions.tsx";
import { show } from "../kit/answers.ts";
import { workspacePages } from "../kit/audiences.ts";
import { countOf, Links } from "../kit/feedback.tsx";
import { Form, Submit } from "../kit/form-fields.tsx";
import type { WorkspaceVisit } from "../kit/visit.ts";

export const deletionPages = workspacePages();

const Records: FC<{ at: string; items: Named[] }> = ({ at, items }) => (
  <Links links={items.map(({ id, name }) => ({ text: name, href: `${at}/${id}` }))} />
);

interface Deletion {
  title: string;
  /** Where it is deleted by POST, and where "Cancel" leads. */
  action: string;
  back: string;
  consequence: Child;
  /** A sentence each, of what uses it. */
  uses: Child[];
  confirm: string;
  /** False where it cannot be deleted while it is used. */
  allowed?: boolean;
}

const deletionPage = ({ title, action, back, consequence, uses, confirm, allowed = true }: Deletion) =>
  show({
    title,
    body: (
      <div class="readable">
        <p>{consequence}</p>
        {uses.length === 0 ? (
          <p>Nothing uses it.</p>
        ) : (
          <ul>
            {uses.map((use) => (
              <li>{use}</li>
            ))}
          </ul>
        )}
        <div class="actions">
          {allowed && (
            <Form action={action} class="inline">
              <Submit kind="danger">{confirm}</Submit>
            </Form>
          )}
          <ButtonLink href={back}>Cancel</ButtonLink>
        </div>
      </div>
    ),
  });

/** Null while the workspace's other long reads are in the way: what is deleted is known without the number. */
async function countContacts(ctx: Ctx, field: string, op: string, value?: string[]): Promise<number | null> {
  try {
    const condition = { field, op, ...(value !== undefined && { value }) };
    return await countFilterContacts(ctx, { match: "all", conditions: [condition] });
  } catch (error) {
    if (error instanceof AppError && (error.code === "rate_limited" || error.code === "unavailable")) return null;
    throw error;
  }
}

const loseIt = (contacts: number | null): Child[] => {
  if (contacts === 0) return [];
  return [<>{contacts === null ? "Every contact that has it" : countOf(contacts, "contact")} will lose it.</>];
};

function usesOf(
  { path }: WorkspaceVisit,
  contacts: number | null,
  { segments, campaigns, templates }: Record<"segments" | "campaigns" | "templates", Named[]>,
): Child[] {
  const list = (items: Named[], at: string, before: string, after: string) =>
    items.length === 0
      ? []
      : [
          <>
            {before} <Records at={path(at)} items={items} />
            {after}
          </>,
        ];
  return [
    ...loseIt(contacts),
    ...list(segments, "/segments", "Segments that ask for it will no longer work:", "."),
    ...list(campaigns, "/campaigns", "Unfinished campaigns whose audience asks for it:", "."),
    ...list(templates, "/templates", "Templates that will no longer find a value in it:", "."),
  ];
}

deletionPages.get("/settings/tags/:id/delete", {}, async (visit, { params: { id } }) => {
  const uses = await findUsesOfTag(visit.ctx, id);
  const contacts = await countContacts(visit.ctx, "tags", "has_any", [uses.name]);
  const back = visit.path("/settings/tags");
  return deletionPage({
    title: `Delete ${uses.name}?`,
    action: `${back}/${id}/delete`,
    back,
    consequence: "Every contact loses the tag at once. The contacts themselves stay.",
    uses: usesOf(visit, contacts, uses),
    confirm: "Delete tag",
  });
});

deletionPages.get("/settings/custom-fields/:id/delete", {}, async (visit, { params: { id } }) => {
  const uses = await findUsesOfCustomField(visit.ctx, id);
  const contacts = await countContacts(visit.ctx, `custom_fields.${uses.key}`, "is_set");
  const back = visit.path("/settings/custom-fields");
  return deletionPage({
    title: `Delete ${uses.name}?`,
    action: `${back}/${id}/delete`,
    back,
    consequence:
      "Its values disappear from every contact at once and do not come back, not even with another field of the same key.",
    uses: usesOf(visit, contacts, uses),
    confirm: "Delete field and values",
  });
});

deletionPages.get("/templates/:id/delete", {}, async (visit, { params: { id } }) => {
  const { name, campaigns } = await findUsesOfTemplate(visit.ctx, id);
  const back = visit.path(`/templates/${id}`);
  return deletionPage({
    title: `Delete ${name}?`,
    action: `${back}/delete`,
    back,
    consequence: "It can no longer be sent. Messages that were sent with it stay.",
    uses:
      campaigns.length === 0
        ? []
        : [
            <>
              Unfinished campaigns send it; cancel them first:{" "}
              <Records at={visit.path("/campaigns")} items={campaigns} />.
            </>,
          ],
    confirm: "Delete template",
    allowed: campaigns.length === 0,
  });
});
