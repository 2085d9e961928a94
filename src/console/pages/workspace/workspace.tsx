import { workspaceChange, updateWorkspaceBody } from "../../../features/workspaces/workspaces.schemas.ts";
import { getWorkspace, updateWorkspace } from "../../../features/workspaces/workspaces.service.ts";
import { PostButton } from "../../kit/actions.tsx";
import { workspacePages } from "../../kit/audiences.ts";
import { Facts, LocalTime, Section } from "../../kit/feedback.tsx";
import { Form, SelectField, Submit, TextField } from "../../kit/forms/form-fields.tsx";
import { toLabel, timeZoneOptions } from "../../kit/format.ts";
import { ThemeChoice } from "../../kit/page/frame.tsx";
import type { WorkspaceRequest } from "../../kit/request.ts";
import { redirectTo } from "../../kit/results.ts";
import { Page } from "../../kit/page/page.tsx";

export const workspaceSettingsPages = workspacePages();

const AT = "/settings/workspace";

async function settingsPage({ ctx, path, theme }: WorkspaceRequest) {
  const { id, name, plan, timeZone, createdAt, stepsHiddenAt } = await getWorkspace(ctx, ctx.workspace.id);
  return (
    <Page title="Workspace">
      <Form action={path(AT)} class="narrow" isPartial>
        <TextField name="name" label="Name" value={name} required />
        <SelectField
          name="time_zone"
          label="Time zone"
          help="Used for charts, the campaign calendar and morning snoozes. Days that are already counted keep the old time zone."
          options={timeZoneOptions(timeZone)}
          value={timeZone}
          required
        />
        <Submit>Save</Submit>
      </Form>
      <Section title="Theme" help="Only for you, in this browser.">
        <ThemeChoice chosen={theme} />
      </Section>
      <Section title="About">
        <Facts
          facts={[
            ["ID", <code>{id}</code>],
            ["Plan", toLabel(plan)],
            ["Created", <LocalTime at={createdAt} />],
          ]}
        />
        {stepsHiddenAt !== null && (
          <PostButton action={path("/overview/steps")} fields={{ hidden: "false" }}>
            Show first steps
          </PostButton>
        )}
      </Section>
    </Page>
  );
}

workspaceSettingsPages.form(
  AT,
  {
    body: updateWorkspaceBody.omit({ plan: true, first_steps_hidden: true }),
    isPartial: true,
    page: settingsPage,
  },
  async ({ ctx, path }, { body, original = {} }) => {
    await updateWorkspace(ctx, ctx.workspace.id, workspaceChange(body), workspaceChange(original));
    return redirectTo(path(AT), "Workspace saved.");
  },
);
