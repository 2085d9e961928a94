// The first steps of a new workspace. A step is done as soon as the workspace has a record for it, such as a
// first connection.
import type { FC } from "hono/jsx";
import type { Overview } from "../../../features/overview/read-overview.ts";
import { PostButton } from "../../kit/actions.tsx";
import { Section } from "../../kit/feedback.tsx";
import { Icon } from "../../kit/icon.tsx";
import { useWorkspaceRequest } from "../../kit/request.ts";
import { usePathTo } from "../../kit/page/optional-link.tsx";

type Step = keyof Overview["steps"];

const STEPS: readonly { step: Step; label: string; page: string; below?: string; help: string }[] = [
  {
    step: "connection",
    label: "Add a connection",
    page: "/settings/connections",
    below: "/new",
    help: "Send and receive messages through it. Start with the sandbox.",
  },
  {
    step: "key",
    label: "Use an API key",
    page: "/settings/api-keys",
    help: "Connect your software. This step is done after the first request.",
  },
  { step: "contact", label: "Add a contact", page: "/contacts", help: "Manually, from a file, or with the API." },
  {
    step: "message",
    label: "Send or receive a message",
    page: "/inbox",
    help: "The message starts a conversation in the inbox.",
  },
  {
    step: "template",
    label: "Write a template",
    page: "/templates",
    help: "For campaigns, and for messages to people who haven't written to you on WhatsApp.",
  },
  { step: "webhook", label: "Add a webhook", page: "/settings/webhooks", help: "Send events to your software." },
  { step: "member", label: "Invite a member", page: "/settings/members", help: "Reply as a team." },
];

export const isStarted = ({ steps }: Overview): boolean => STEPS.every(({ step }) => steps[step]);

export const FirstSteps: FC<{ overview: Overview }> = ({ overview: { steps } }) => {
  const address = usePathTo();
  const { path } = useWorkspaceRequest();
  const [done, open] = [STEPS.filter(({ step }) => steps[step]), STEPS.filter(({ step }) => !steps[step])];
  return (
    <Section
      title="First steps"
      id="first-steps"
      actions={
        <PostButton action={path("/overview/steps")} fields={{ hidden: "true" }} act="Hide first steps">
          Hide
        </PostButton>
      }
    >
      <ul class="first-steps">
        {open.map(({ label, page, below, help }) => {
          const to = address(page, below);
          return (
            <li>
              <Icon name="circle-dot" />
              <span>
                {to === null ? label : <a href={to}>{label}</a>}
                <span class="unseen">, to do</span> <span class="help">{help}</span>
              </span>
            </li>
          );
        })}
      </ul>
      {done.length > 0 && (
        <details>
          <summary>
            {done.length} of {STEPS.length} done
          </summary>
          <ul class="first-steps">
            {done.map(({ label }) => (
              <li class="done">
                <Icon name="circle-check" />
                <span>
                  {label}
                  <span class="unseen">, done</span>
                </span>
              </li>
            ))}
          </ul>
        </details>
      )}
    </Section>
  );
};
