import type { FC } from "hono/jsx";
import * as z from "zod";
import { mayChangeView } from "../../../../features/contact-views/contact-views.changes.ts";
import {
  renameViewBody,
  saveViewBody,
  type SavedView,
} from "../../../../features/contact-views/contact-views.schemas.ts";
import { deleteView, renameView, saveView } from "../../../../features/contact-views/contact-views.service.ts";
import { PostButton } from "../../../kit/actions.tsx";
import { workspacePages } from "../../../kit/audiences.ts";
import { Form, Submit, TextField } from "../../../kit/forms/form-fields.tsx";
import { Icon } from "../../../kit/icon.tsx";
import { redirectTo, redirectWithUndo } from "../../../kit/results.ts";
import { useWorkspaceRequest } from "../../../kit/request.ts";

export const contactViewPages = workspacePages();

/**
 * To restore a deleted view, the undo notice must contain its query. A longer query does not fit into the
 * notice, so such a view cannot be restored.
 */
const MAX_UNDOABLE = 600;

const listAt = (query: string) => (query === "" ? "/contacts" : `/contacts?${query}`);

interface ViewProps {
  views: readonly SavedView[];
  query: string;
}

export const ViewTabs: FC<ViewProps> = ({ views, query }) => {
  const { path } = useWorkspaceRequest();
  const tabs = [{ id: "", name: "All contacts", query: "" }, ...views];
  const current = tabs.find((tab) => tab.query === query);
  return (
    <div id="views">
      {views.length > 0 && (
        <nav class="tabs views" aria-label="Views">
          <ul>
            {tabs.map((tab) => (
              <li>
                <a href={path(listAt(tab.query))} aria-current={tab === current ? "page" : undefined}>
                  {tab.name}
                </a>
              </li>
            ))}
          </ul>
        </nav>
      )}
    </div>
  );
};

const NameField: FC<{ name?: string }> = ({ name }) => (
  <TextField name="name" label="View name" maxlength={60} required value={name} />
);

const SaveForm: FC<{ query: string }> = ({ query }) => (
  <Form action={useWorkspaceRequest().path("/contacts/views")} class="menu-form">
    <input type="hidden" name="query" value={query} />
    <NameField />
    <Submit>Save view</Submit>
    <p class="help">Saves these filters and columns for all members.</p>
  </Form>
);

const ChangeForms: FC<{ view: SavedView }> = ({ view: { id, name } }) => {
  const at = useWorkspaceRequest().path(`/contacts/views/${id}`);
  return (
    <>
      <Form action={at} class="menu-form">
        <NameField name={name} />
        <Submit>Rename</Submit>
      </Form>
      <PostButton action={`${at}/delete`} kind="danger">
        Delete view
      </PostButton>
    </>
  );
};

export const ViewMenu: FC<ViewProps> = ({ views, query }) => {
  const { ctx } = useWorkspaceRequest();
  const current = views.find((view) => view.query === query);
  if (query === "" || (current !== undefined && !mayChangeView(ctx.actor, current))) return null;
  return (
    <details class="menu end" id="view">
      <summary>
        {current === undefined ? "Save view" : "Edit view"} <Icon name="chevron-down" size="small" />
      </summary>
      <div>{current === undefined ? <SaveForm query={query} /> : <ChangeForms view={current} />}</div>
    </details>
  );
};

const queryText = z
  .string()
  .default("")
  .transform((query): object => Object.fromEntries(new URLSearchParams(query)));

const saveViewForm = saveViewBody.extend({ query: queryText.pipe(saveViewBody.shape.query) });

contactViewPages.post("/contacts/views", { role: "agent", body: saveViewForm }, async ({ ctx, path }, { body }) => {
  const { name, query } = await saveView(ctx, body);
  return redirectTo(path(listAt(query)), `View ${name} saved.`);
});

contactViewPages.post(
  "/contacts/views/:id",
  { role: "agent", body: renameViewBody },
  async ({ ctx, path }, { params, body }) => {
    const { query } = await renameView(ctx, params.id, body.name);
    return redirectTo(path(listAt(query)), "Saved.");
  },
);

contactViewPages.post("/contacts/views/:id/delete", { role: "agent" }, async ({ ctx, path }, { params }) => {
  const { name, query } = await deleteView(ctx, params.id);
  const done = `View ${name} deleted.`;
  if (query.length > MAX_UNDOABLE) return redirectTo(path("/contacts"), done);
  return redirectWithUndo(path("/contacts"), done, path("/contacts/views"), { name, query });
});
