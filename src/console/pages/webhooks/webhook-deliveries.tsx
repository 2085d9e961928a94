import type { FC } from "hono/jsx";
import type { presentDelivery } from "../../../features/webhooks/webhooks.schemas.ts";
import { PostButton } from "../../kit/actions.tsx";
import { LocalTime, Section, type LabelledState, StateBadge } from "../../kit/feedback.tsx";
import { formatCount, formatNumber } from "../../kit/format.ts";
import { useWorkspaceRequest } from "../../kit/request.ts";
import { PagedTable } from "../../kit/tables.tsx";
import { EVENTS_PATH } from "../events/event-parts.tsx";
import { TimeOr } from "./webhooks.tsx";
import { Tabs } from "../../kit/page/tabs.tsx";

export type DeliveryView = ReturnType<typeof presentDelivery>;
type Attempt = DeliveryView["attempts"][number];
type State = DeliveryView["state"];

const POLL_S = 5;
const MAX_LINKED = 3;

const stateLabels = {
  pending: { label: "Waiting", tone: "warning" },
  failed: { label: "Failed", tone: "bad" },
  succeeded: { label: "Succeeded", tone: "good" },
} satisfies Record<State, LabelledState>;

const Filter: FC<{ here: string; state: State | undefined }> = ({ here, state }) => (
  <Tabs
    label="Deliveries by state"
    tabs={[
      { label: "All", href: `${here}#deliveries`, isCurrent: state === undefined },
      ...Object.entries(stateLabels).map(([each, { label }]) => ({
        label,
        href: `${here}?state=${each}#deliveries`,
        isCurrent: state === each,
      })),
    ]}
  />
);

const describeFault = ({ error, duration_ms }: Attempt): string =>
  `${(error ?? "No response").replace(/\.$/, "")} (${formatNumber(duration_ms)} ms)`;

const summarise = (attempt: Attempt): string =>
  attempt.status === null ? describeFault(attempt) : `${attempt.status} in ${formatNumber(attempt.duration_ms)} ms`;

const Answer: FC<{ text: string | null }> = ({ text }) =>
  text !== null && text !== "" ? <pre class="answer">{text}</pre> : null;

export const TestOutcome: FC<{ attempt: Attempt }> = ({ attempt }) => {
  const fault = describeFault(attempt);
  return (
    <>
      {attempt.error === null
        ? `Test delivered: ${summarise(attempt)}.`
        : `Test failed: ${fault.charAt(0).toLowerCase()}${fault.slice(1)}.`}
      <Answer text={attempt.response} />
    </>
  );
};

const AttemptFacts: FC<{ attempt: Attempt }> = ({ attempt }) => {
  const { at, error, response } = attempt;
  return (
    <>
      <LocalTime at={Date.parse(at)} />: {summarise(attempt)}
      {error !== null && attempt.status !== null && <>. {error}</>}
      <Answer text={response} />
    </>
  );
};

const Events: FC<{ ids: readonly string[] }> = ({ ids }) => {
  const { path } = useWorkspaceRequest();
  return (
    <>
      {ids.slice(0, MAX_LINKED).map((id) => (
        <div>
          <a href={path(`${EVENTS_PATH}/${id}`)} class="mono">
            {id}
          </a>
        </div>
      ))}
      {ids.length > MAX_LINKED && `and ${formatCount(ids.length - MAX_LINKED, "more event")}`}
    </>
  );
};

const Attempts: FC<{ delivery: DeliveryView }> = ({ delivery: { id, attempts } }) => {
  const last = attempts.at(-1);
  if (last === undefined) return null;
  return (
    <details id={`attempts-${id}`}>
      <summary>
        {attempts.length > 1 && `${formatCount(attempts.length, "attempt")}, last: `}
        {summarise(last)}
      </summary>
      <ol class="attempts">
        {attempts.map((attempt) => (
          <li>
            <AttemptFacts attempt={attempt} />
          </li>
        ))}
      </ol>
    </details>
  );
};

interface DeliveriesProps {
  here: string;
  state: State | undefined;
  deliveries: readonly DeliveryView[];
  next: string | null;
}

export const Deliveries: FC<DeliveriesProps> = ({ here, state, deliveries, next }) => (
  <Section
    title="Deliveries"
    id="deliveries"
    help="The last 100 successful deliveries, and every delivery that failed in the last 7 days."
  >
    <Filter here={here} state={state} />
    <div id="delivery-list" data-poll={POLL_S} data-swap="health">
      <PagedTable
        caption="Deliveries, newest first"
        rows={deliveries}
        columns={[
          {
            label: "Last attempt",
            cell: ({ attempts }) => <TimeOr at={attempts.at(-1)?.at ?? null} otherwise="None yet" />,
          },
          { label: "Events", cell: ({ event_ids }) => <Events ids={event_ids} /> },
          {
            label: "State",
            cell: ({ state: each, next_attempt_at }) => (
              <>
                <StateBadge state={stateLabels[each]} />{" "}
                {next_attempt_at !== null && (
                  <span class="help">
                    until <LocalTime at={Date.parse(next_attempt_at)} />
                  </span>
                )}
              </>
            ),
          },
          { label: "Attempts", cell: (delivery) => <Attempts delivery={delivery} /> },
        ]}
        buttons={({ id }) => <PostButton action={`${here}/deliveries/${id}/retry`}>Send again</PostButton>}
        empty={<p class="help">{state === undefined ? "No deliveries yet." : "No deliveries in this state."}</p>}
        next={next}
      />
    </div>
  </Section>
);
