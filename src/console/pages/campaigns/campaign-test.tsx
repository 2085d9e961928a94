import { testCampaignBody } from "../../../features/campaigns/campaigns.schemas.ts";
import { getCampaign } from "../../../features/campaigns/campaigns.service.ts";
import { sampleValue, sendTestMessage } from "../../../features/campaigns/edit/send-test.ts";
import { ButtonLink } from "../../kit/actions.tsx";
import { workspacePages } from "../../kit/audiences.ts";
import { Form, Submit, TextField } from "../../kit/form-fields.tsx";
import { type FormState, unsentForm } from "../../kit/forms.ts";
import type { WorkspaceRequest } from "../../kit/request.ts";
import { type Page, redirectTo, showPage } from "../../kit/results.ts";
import { CAMPAIGNS } from "./campaign-parts.tsx";

export const campaignTestPages = workspacePages();

async function testPage({ ctx, path }: WorkspaceRequest, id: string, state: FormState): Promise<Page> {
  const { name } = await getCampaign(ctx, id);
  const here = path(`${CAMPAIGNS}/${id}`);
  return showPage({
    title: `Test of ${name}`,
    trail: [
      { text: "Campaigns", href: path(CAMPAIGNS) },
      { text: name, href: here },
    ],
    body: (
      <Form action={`${here}/test`} state={state} class="narrow">
        <p>
          Sends one message with the values of the contact at this number. Missing values show as samples in brackets,
          like [name]. The test does not change the campaign's counts. It is stored in the conversation with this
          number; a new number becomes a contact.
        </p>
        <TextField
          name="to"
          label="Send to"
          type="tel"
          help="In international format, like +1 415 555 0100."
          required
          autofocus
          state={state}
        />
        <div class="actions">
          <Submit>Send the test</Submit>
          <ButtonLink href={here}>Back</ButtonLink>
        </div>
      </Form>
    ),
  });
}

campaignTestPages.get("/campaigns/:id/test", {}, (request, { params: { id } }) => testPage(request, id, unsentForm));

campaignTestPages.post(
  "/campaigns/:id/test",
  {
    body: testCampaignBody,
    read: (form) => ({ to: form.text("to") }),
    onInvalid: (request, { id }, form) => testPage(request, id, form),
  },
  async ({ ctx, path }, { params: { id }, body: { to } }) => {
    const { conversation_id: conversation, sample_variables: samples = [] } = await sendTestMessage(ctx, id, to);
    const shown = samples.length === 0 ? "" : ` It shows samples: ${samples.map(sampleValue).join(", ")}.`;
    return redirectTo(path(`${CAMPAIGNS}/${id}`), `A test is on its way to ${to}.${shown}`, [
      { text: "Open the conversation", href: path(`/inbox/${conversation}`) },
    ]);
  },
);
