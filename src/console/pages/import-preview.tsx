import { Banner, Section } from "../kit/feedback.tsx";
import { Table } from "../kit/tables.tsx";
import { textOf } from "./contact-parts.tsx";
import { unguard } from "./contact-csv.ts";
import { NOWHERE, problemOf, targetsOf } from "./import-columns.ts";
import { type Plan, previewRow } from "./import-rows.ts";
import { hasOwn } from "../../shared/own.ts";

const SHOWN = 8;

interface PreviewProps {
  heads: readonly string[];
  hasHeads: boolean;
  rows: readonly string[][];
  plan: Plan;
}

const headOf = (heads: readonly string[], at: number) => heads[at]?.trim() || `Column ${at + 1}`;

/** Which column goes where. */
function Places({ heads, rows, plan }: PreviewProps) {
  const targets = targetsOf(plan.fields);
  return (
    <Table
      caption="Columns of the file and where they go"
      rows={plan.mapping.map((target, at) => ({ target, at }))}
      columns={[
        { label: "Column", cell: ({ at }) => <strong>{headOf(heads, at)}</strong> },
        {
          label: "For example",
          cell: ({ at }) => (
            <span class="cut">{rows.map((row) => row[at]?.trim() ?? "").find((cell) => cell !== "") ?? "–"}</span>
          ),
        },
        {
          label: "Goes to",
          cell: ({ target, at }) => (
            <select name="place" aria-label={`${headOf(heads, at)} goes to`} id={`import-place-${at}`}>
              {targets.map(({ value, label }) => (
                <option value={value} selected={value === target}>
                  {label}
                </option>
              ))}
            </select>
          ),
        },
      ]}
    />
  );
}

/** The first rows as they would be stored. */
function Stored({ rows, plan, hasHeads }: PreviewProps) {
  const targets = targetsOf(plan.fields).filter(({ value }) => value !== NOWHERE && plan.mapping.includes(value));
  const shown = rows
    .map((row, at) => ({ number: at + (hasHeads ? 2 : 1), row }))
    .filter(({ row }) => row.some((cell) => cell.trim() !== ""))
    .slice(0, SHOWN)
    .map(({ number, row }) => ({ number, result: previewRow(row, plan) }));
  return (
    <Table
      caption="The first rows as they would be stored"
      rows={shown}
      columns={[
        { label: "Row", cell: ({ number }) => number },
        ...targets.map(({ value, label }) => ({
          label,
          cell: ({ result }: (typeof shown)[number]) => (
            <span class={value === "phone" ? "whole" : undefined}>
              {hasOwn(result, "stored") ? textOf(result.stored.get(value)) || "–" : "–"}
            </span>
          ),
        })),
        {
          label: "Refused because",
          cell: ({ result }) => (hasOwn(result, "reason") ? <span class="fault">{result.reason}</span> : "–"),
        },
      ]}
    />
  );
}

function Pluses({ rows, plan }: PreviewProps) {
  const at = plan.mapping.indexOf("phone");
  const phones = rows.map((row) => unguard(row[at]?.trim() ?? "")).filter((cell) => cell !== "");
  const without = phones.filter((cell) => !cell.startsWith("+")).length;
  if (without === 0) return null;
  return (
    <Banner kind="warning">
      {without} of the first {phones.length} numbers {without === 1 ? "has" : "have"} no plus. Look at the numbers
      below: each is read as if its first digits were a country code. If they are not, add the country code in your file
      first.
    </Banner>
  );
}

/** What the script shows once it knows the first rows of a file. */
export function ImportPreview(props: PreviewProps) {
  const { plan, hasHeads } = props;
  const problem = problemOf(plan.mapping, plan.fields);
  return (
    <form id="import-plan">
      <Section title="What is in which column">
        <div class="field check">
          <input type="checkbox" id="import-heads" name="has_heads" checked={hasHeads} />
          <label for="import-heads">The first row names the columns</label>
        </div>
        <Places {...props} />
      </Section>
      <Section title="As it would be stored" help="Nothing is stored yet. These are the first rows.">
        <Pluses {...props} />
        {problem === null ? <Stored {...props} /> : <Banner kind="error">{problem}</Banner>}
      </Section>
      <Section title="Start">
        <div class="field narrow">
          <label for="import-tag">
            Tag everybody in this file<span class="optional"> optional</span>
          </label>
          <p class="help" id="import-tag-help">
            So that you find these contacts again.
          </p>
          <input
            type="text"
            id="import-tag"
            name="tag"
            maxlength={60}
            value={plan.tag}
            aria-describedby="import-tag-help"
            autocomplete="off"
          />
        </div>
        <button type="submit" id="import-start" disabled={problem !== null}>
          Import
        </button>
      </Section>
    </form>
  );
}
