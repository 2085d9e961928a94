import { testCampaignBody } from "../../../features/campaigns/campaigns.schemas.ts";
import { getCampaign } from "../../../features/campaigns/campaigns.service.ts";
import { sampleValue, sendTestMessage } from "../../../features/campaigns/edit/send-test.ts";
import { ButtonLink } from "../../kit/actions.tsx";
import { workspacePages } from "../../kit/audiences.ts";
import { Form, Submit, TextField } from "../../kit/forms/form-fields.tsx";
import type { WorkspaceRequest } from "../../kit/request.ts";
import { redirectTo } from "../../kit/results.ts";
import { Page } from "../../kit/page/page.tsx";

export const campaignTestPages = workspacePages();

async function testPage({ ctx, path }: WorkspaceRequest, { id }: { id: string }) {
  const { name } = await getCampaign(ctx, id);
  const here = path(`/campaigns/${id}`);
  return (
    <Page
      title={`Test ${name}`}
      trail={[
        { text: "Campaigns", href: path("/campaigns") },
        { text: name, href: here },
      ]}
    >
      <Form action={`${here}/test`} class="narrow">
        <p>
          Sends one message with the values of the contact with this number. Missing values appear as samples, like
          [name]. Tests don't count in the campaign's report. The message is stored in the conversation with this
          number; a new number becomes a contact.
        </p>
        <TextField
          name="to"
          label="Send to"
          type="tel"
          help="With country code, like +1 415 555 0100."
          required
          autofocus
        />
        <div class="actions">
          <Submit>Send test</Submit>
          <ButtonLink href={here}>Back</ButtonLink>
        </div>
      </Form>
    </Page>
  );
}

campaignTestPages.form(
  "/campaigns/:id/test",
  { body: testCampaignBody, page: testPage },
  async ({ ctx, path }, { params: { id }, body: { to } }) => {
    const { conversation_id: conversation, sample_variables: samples = [] } = await sendTestMessage(ctx, id, to);
    const note = samples.length === 0 ? "" : ` Samples were used for ${samples.map(sampleValue).join(", ")}.`;
    return redirectTo(path(`/campaigns/${id}`), `Test to ${to} is on its way.${note}`, [
      { text: "Open conversation", href: path(`/inbox/${conversation}`) },
    ]);
  },
);
