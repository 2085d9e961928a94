import { settingsOf } from "../../../features/api-keys/api-keys.schemas.ts";
import { getApiKey, planLimits, updateApiKey } from "../../../features/api-keys/api-keys.service.ts";
import { workspacePages } from "../../kit/audiences.ts";
import { ButtonLink } from "../../kit/actions.tsx";
import { Banner, Facts, LocalTime } from "../../kit/feedback.tsx";
import { Form, Submit, TextField } from "../../kit/forms/form-fields.tsx";
import type { WorkspaceRequest } from "../../kit/request.ts";
import { redirectTo } from "../../kit/results.ts";
import { Page } from "../../kit/page/page.tsx";
import { REQUESTS_PATH } from "../requests/request-parts.tsx";
import { apiKeyForm, ApiKeyFields } from "./api-key-fields.tsx";
import { API_KEYS } from "./api-keys.tsx";

export const apiKeyEditPages = workspacePages();

async function editPage({ ctx, path }: WorkspaceRequest, id: string) {
  const apiKey = await getApiKey(ctx, id);
  return (
    <Page
      title={apiKey.name}
      actions={<ButtonLink href={path(`${REQUESTS_PATH}?key_id=${id}`)}>Its requests</ButtonLink>}
    >
      <Facts
        facts={[
          ["Ends in", <code>{apiKey.lastFour}</code>],
          ["Created", <LocalTime at={apiKey.createdAt} />],
          ["Last used", apiKey.lastUsedAt === null ? "Never" : <LocalTime at={apiKey.lastUsedAt} />],
        ]}
      />
      {apiKey.revokedAt === null ? (
        <Form action={path(`${API_KEYS}/${id}`)} class="narrow" isPartial>
          <TextField name="name" label="Name" help="Where you use it, like “Web shop”." value={apiKey.name} required />
          <ApiKeyFields apiKey={apiKey} standard={planLimits[apiKey.plan]} />
          <Submit>Save</Submit>
        </Form>
      ) : (
        <Banner kind="note">
          This key was revoked <LocalTime at={apiKey.revokedAt} /> and can't be changed.
        </Banner>
      )}
    </Page>
  );
}

apiKeyEditPages.get(`${API_KEYS}/:id`, {}, (request, { params }) => editPage(request, params.id));

apiKeyEditPages.post(
  `${API_KEYS}/:id`,
  {
    body: apiKeyForm,
    isPartial: true,
    onInvalid: (request, { id }) => editPage(request, id),
  },
  async ({ ctx, path }, { params: { id }, body, original = {} }) => {
    const { name } = await updateApiKey(ctx, id, settingsOf(body), settingsOf(original));
    return redirectTo(path(API_KEYS), `${name} saved. Changes apply from the next request.`);
  },
);
