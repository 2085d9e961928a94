import type { FC } from "hono/jsx";
import { DAY_MS } from "../../../src/shared/time/durations.ts";
import { ButtonLink, ConfirmButton, CopyField } from "../../../src/console/kit/actions.tsx";
import { CheckField, ChoiceField } from "../../../src/console/kit/forms/choice-fields.tsx";
import { Avatar, Icon } from "../../../src/console/kit/icon.tsx";
import { BarChart } from "../../../src/console/kit/charts/bar-chart.tsx";
import { Age, Badge, Banner, Day, EmptyState, Facts, LocalTime, Fold } from "../../../src/console/kit/feedback.tsx";
import { SelectField, Submit, TextArea, TextField } from "../../../src/console/kit/forms/form-fields.tsx";
import { type FormState, unsentForm, FormStateProvider } from "../../../src/console/kit/forms/forms.ts";
import { ThemeChoice } from "../../../src/console/kit/page/frame.tsx";
import { Table } from "../../../src/console/kit/tables.tsx";
import { TimeField } from "../../../src/console/kit/forms/time-field.tsx";
import { Toast } from "../../../src/console/kit/page/toasts.tsx";

interface SampleProps {
  /** The ids contain the theme, so that the two themes have different ids. */
  theme: "light" | "dark";
}

const HERE = "/console/design";

const refused = (theme: string): FormState => ({
  ...unsentForm,
  name: theme,
  values: new Map([["phone", ["12"]]]),
  faults: [
    {
      path: "phone",
      code: "invalid_phone",
      message: "Must be a phone number in international format, like +14155550100.",
    },
  ],
});

export const Buttons: FC<SampleProps> = ({ theme }) => (
  <>
    <p class="actions">
      <button type="button">Primary</button>
      <button type="button" class="plain">
        Plain
      </button>
      <button type="button" class="quiet">
        Quiet
      </button>
      <button type="button" class="danger">
        Danger
      </button>
      <ButtonLink href={HERE}>A link</ButtonLink>
    </p>
    <p class="actions">
      <button type="button" class="plain">
        <Icon name="check" /> With an icon
      </button>
      <button type="button" class="quiet icon-only">
        <Icon name="panel-right" />
        <span class="unseen">An icon alone</span>
      </button>
      <button type="button" disabled>
        Disabled
      </button>
      <ConfirmButton
        id={`${theme}-dialog`}
        label="A dialog"
        title="Archive Ada Okafor?"
        action={HERE}
        confirm="Archive"
        kind="danger"
      >
        A dialog says what will happen, and its button repeats the verb.
      </ConfirmButton>
    </p>
  </>
);

export const Fields: FC<SampleProps> = ({ theme }) => (
  <FormStateProvider value={refused(theme)}>
    <TextField name="name" label="A field" help="Help stands between label and field." required />
    <TextField name="phone" label="With a fault" required />
    <SelectField
      name="stage"
      label="One of several"
      options={["Lead", "Customer"].map((label) => ({ value: label, label }))}
    />
    <TextArea name="text" label="Several lines" rows={2} />
    <TimeField name={`${theme}-send_at`} label="Day and time" />
    <CheckField name="marketing" label="Yes or no" help="Help stands below." />
    <ChoiceField
      name={`${theme}-when`}
      label="A choice"
      value="now"
      options={[
        { value: "now", label: "Now" },
        { value: "later", label: "Later", help: "With help of its own." },
      ]}
    />
    <fieldset class="segmented">
      <legend class="unseen">Side by side</legend>
      {["Open", "Done", "All"].map((label, at) => (
        <label>
          <input type="radio" name={`${theme}-status`} value={label} checked={at === 0} />
          <span>{label}</span>
        </label>
      ))}
    </fieldset>
    <p></p>
    <CopyField id={`${theme}-copy`} label="To copy" value="tdg_0123456789" />
    <Submit>Save</Submit>
  </FormStateProvider>
);

export const Feedback: FC<SampleProps> = ({ theme }) => (
  <>
    <p>
      {(["plain", "info", "good", "warning", "bad"] as const).map((tone) => (
        <>
          <Badge tone={tone}>{tone}</Badge>{" "}
        </>
      ))}
    </p>
    <Banner kind="note">A note: what is special about this page.</Banner>
    <Banner kind="done">Done: what has come of it.</Banner>
    <Banner kind="warning">A warning: what to know before going on.</Banner>
    <Banner kind="error">An error: what went wrong, and what to do now.</Banner>
    <div class="toasts">
      <Toast notice={{ kind: "done", text: "A toast: what was done.", links: [], undo: null }} />
    </div>
    <p></p>
    <progress value="40" max="100" aria-label={`Progress, ${theme}`} />
    <p></p>
    <EmptyState title="No webhooks yet" icon="webhook" action={<ButtonLink href={HERE}>What to do next</ButtonLink>}>
      An empty state says what will be here, and how it gets there.
    </EmptyState>
  </>
);

const NOON = Date.UTC(2027, 0, 15, 12);
const PEOPLE = [
  { name: "Ada Okafor", state: "Read", messages: 12 },
  { name: "Bruno Lima", state: "Sent", messages: 3 },
];

export const Lists: FC<SampleProps> = ({ theme }) => (
  <>
    <Table
      caption={`People, ${theme}`}
      rows={PEOPLE}
      columns={[
        { label: "Name", cell: ({ name }) => <a href={HERE}>{name}</a> },
        { label: "State", cell: ({ state }) => <Badge tone="good">{state}</Badge> },
        { label: "Messages", align: "end", cell: ({ messages }) => messages },
      ]}
    />
    <p></p>
    <Facts
      facts={[
        ["Phone", "+1 415 555 0101"],
        ["Birthday", <Day date="1990-01-31" />],
        ["Last message", <LocalTime at={NOON} />],
      ]}
    />
    <p>
      <Avatar name="Ada Okafor" /> <Avatar name="Ada Okafor" size="large" /> <Avatar name="Acme" shape="square" />
    </p>
    <Fold id={`${theme}-fold`} title="A part that folds away" count={1}>
      <ul class="rows">
        <li>
          <a href={HERE}>Spring sale</a>
          <Badge tone="good">Read</Badge>
          <span class="help">
            <Age at={NOON} />
          </span>
        </li>
      </ul>
    </Fold>
  </>
);

export const Navigation: FC<SampleProps> = ({ theme }) => (
  <>
    <nav class="trail" aria-label={`Above, ${theme}`}>
      <a href={HERE}>
        <Icon name="chevron-left" size="small" />
        The list above
      </a>
    </nav>
    <nav class="tabs" aria-label={`Parts, ${theme}`}>
      <ul>
        {["All", "Waiting", "Failed"].map((label, at) => (
          <li>
            <a href={HERE} aria-current={at === 0 ? "page" : undefined}>
              {label}
            </a>
          </li>
        ))}
      </ul>
    </nav>
    <ThemeChoice chosen={theme} />
    <p></p>
    <details class="menu" id={`${theme}-menu`}>
      <summary>
        A menu <Icon name="chevron-down" size="small" />
      </summary>
      <div>
        <a href={HERE} aria-current="page">
          <Icon name="inbox" /> Where one is
        </a>
        <a href={HERE}>
          <Icon name="users" /> Somewhere else
        </a>
      </div>
    </details>
  </>
);

const SERIES = [
  { key: "read", label: "Read" },
  { key: "delivered", label: "Delivered" },
  { key: "sent", label: "Sent" },
  { key: "failed", label: "Failed" },
];

const STEPS = Array.from({ length: 7 }, (_, at) => ({
  label: <Day date={new Date(NOON + at * DAY_MS).toISOString().slice(0, 10)} />,
  title: `Day ${at + 1}`,
  values: [30 + at * 4, 12, 6, at % 3],
}));

export const Charts: FC<SampleProps> = ({ theme }) => (
  <BarChart title={`Messages by day, ${theme}`} series={SERIES} steps={STEPS} stacked />
);
