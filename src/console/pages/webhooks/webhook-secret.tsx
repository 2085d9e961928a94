// A new secret with instructions. It is part of the form's response and can't be loaded again.
import type { FC } from "hono/jsx";
import { ButtonLink, CopyField } from "../../kit/actions.tsx";
import { Banner, Section } from "../../kit/feedback.tsx";
import { Page } from "../../kit/page/page.tsx";
import { verificationSamples } from "./verification-code.ts";

const Samples: FC<{ secret: string }> = ({ secret }) => (
  <>
    {verificationSamples(secret).map(({ id, label, help, text }, index) => (
      <details class="sample" id={`sample-${id}`} name="samples" open={index === 0}>
        <summary>{label}</summary>
        <CopyField id={`code-${id}`} label={label} value={text.trimEnd()} help={help} />
      </details>
    ))}
  </>
);

interface SecretProps {
  title: string;
  secret: string;
  back: string;
  note?: string;
}

export const showSecretPage = ({ title, secret, back, note }: SecretProps) => (
  <Page title={title}>
    <div class="readable">
      <Banner kind="warning">
        Copy the secret now: it is shown only once. If you lose it, rotate it on the webhook's page.
        {note !== undefined && ` ${note}`}
      </Banner>
      <CopyField
        id="secret"
        label="Signing secret"
        value={secret}
        help="Proves that a request comes from Tidings. Keep it like a password."
      />
      <Section
        title="Verify requests"
        help={
          <>
            Requests are signed with <a href="https://www.standardwebhooks.com">Standard Webhooks</a>, which has
            libraries for many languages. These samples need none and contain the secret above.
          </>
        }
      >
        <Samples secret={secret} />
      </Section>
      <ButtonLink href={back} kind="primary">
        I have copied it
      </ButtonLink>
    </div>
  </Page>
);
