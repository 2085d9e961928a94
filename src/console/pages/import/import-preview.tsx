import type { FieldType } from "../../../features/custom-fields/custom-fields.values.ts";
import { isAtLeast } from "../../../shared/access/actor.ts";
import { lacksCallingCode, phoneCountries } from "../../../shared/text/phone.ts";
import { Banner, Day, Section, LocalTime } from "../../kit/feedback.tsx";
import { formatValue } from "../../kit/format.ts";
import { Table } from "../../kit/tables.tsx";
import { useWorkspaceRequest } from "../../kit/request.ts";
import { countryName } from "../contacts/contact-fields.tsx";
import { unguardCell } from "../../../shared/text/csv.ts";
import { CUSTOM_FIELD_PREFIX, LEFT_OUT, findMappingProblem, listTargets } from "./import-columns.ts";
import type { DateGuess } from "./import-dates.ts";
import { delimiters, type ImportPlan, ImportSelect, inspectDates, ReadingSettings } from "./import-settings.tsx";
import { type ReadRow, readImportRow, storedValues, readTexts } from "./import-rows.ts";
import { Options } from "../../kit/forms/form-fields.tsx";

const MAX_ROWS = 8;
const MAX_NAMED = 8;

interface FileProps {
  heads: readonly string[];
  hasHeads: boolean;
  rows: readonly string[][];
  plan: ImportPlan;
}

const columnName = (heads: readonly string[], at: number) => heads[at]?.trim() || `Column ${at + 1}`;

function ColumnTargets({ heads, rows, plan }: FileProps) {
  const targets = listTargets(plan.fields);
  return (
    <Table
      caption="Columns of the file and their fields"
      rows={plan.mapping.map((target, at) => ({ target, at }))}
      columns={[
        { label: "Column", cell: ({ at }) => <strong>{columnName(heads, at)}</strong> },
        {
          label: "Example",
          cell: ({ at }) => (
            <span class="cut">{rows.map((row) => row[at]?.trim() ?? "").find((cell) => cell !== "") ?? "–"}</span>
          ),
        },
        {
          label: "Field",
          cell: ({ target, at }) => (
            <select name="place" aria-label={`Field for ${columnName(heads, at)}`} id={`import-place-${at}`}>
              <Options options={targets} chosen={target} />
            </select>
          ),
        },
      ]}
    />
  );
}

/** Shows dates with the name of the month, so that the user notices swapped days and months. */
function CellValue({ type, value }: { type: FieldType | undefined; value: unknown }) {
  const text = formatValue(value);
  if (text === "") return <>–</>;
  if (type === "date") return <Day date={text} />;
  return type === "datetime" ? <LocalTime at={Date.parse(text)} /> : <>{text}</>;
}

const cellClass = (target: string, read: ReadRow) =>
  [target === "phone" ? "whole" : "", read.kind === "refused" ? "dim" : ""].filter((name) => name !== "").join(" ") ||
  undefined;

const describeResult = (read: ReadRow) =>
  read.kind === "refused" ? `${read.reason} The row is skipped.` : read.leftOut.join(" ");

/** This column comes directly after the row number, so that the reasons stay visible in a wide table. */
const reasons = {
  label: "Not imported",
  cell: ({ read }: { read: ReadRow }) => (
    <span class={read.kind === "refused" ? "reason fault" : "reason"}>{describeResult(read) || "–"}</span>
  ),
};

function StoredRows({ rows, plan, hasHeads }: FileProps) {
  const types = new Map(plan.fields.map(({ field_key: key, type }) => [CUSTOM_FIELD_PREFIX + key, type]));
  const targets = listTargets(plan.fields).filter(({ value }) => value !== LEFT_OUT && plan.mapping.includes(value));
  const preview = rows
    .map((row, at) => ({ number: at + (hasHeads ? 2 : 1), row }))
    .filter(({ row }) => row.some((cell) => cell.trim() !== ""))
    .slice(0, MAX_ROWS)
    .map(({ number, row }) => {
      const read = readImportRow(row, plan);
      return { number, read, values: read.kind === "refused" ? readTexts(row, plan) : storedValues(read, plan) };
    });
  return (
    <div class="wide" tabindex={0} role="region" aria-label="First rows">
      <Table
        caption="Preview of the first rows"
        rows={preview}
        columns={[
          { label: "Row", cell: ({ number }) => number },
          ...(preview.some(({ read }) => describeResult(read) !== "") ? [reasons] : []),
          ...targets.map(({ value, label }) => ({
            label,
            cell: ({ read, values }: (typeof preview)[number]) => (
              <span class={cellClass(value, read)}>
                <CellValue type={read.kind === "refused" ? undefined : types.get(value)} value={values.get(value)} />
              </span>
            ),
          })),
        ]}
      />
    </div>
  );
}

function UnusedColumns({ heads, rows, plan }: FileProps) {
  const { path, workspace } = useWorkspaceRequest();
  const left = plan.mapping.flatMap((target, at) =>
    target === LEFT_OUT && rows.some((row) => (row[at] ?? "").trim() !== "") ? [`“${columnName(heads, at)}”`] : [],
  );
  if (left.length === 0) return null;
  return (
    <Banner kind="note">
      Left out: {left.slice(0, MAX_NAMED).join(", ") + (left.length > MAX_NAMED ? " …" : "")}. To keep other columns,{" "}
      {isAtLeast(workspace.role, "admin") ? (
        <a href={path("/settings/custom-fields/new")} target="_blank">
          create a custom field (in a new tab)
        </a>
      ) : (
        "ask an admin for a custom field"
      )}
      , then choose the file again.
    </Banner>
  );
}

function PhoneNotice({ rows, plan }: FileProps) {
  const at = plan.mapping.indexOf("phone");
  const phones = rows.map((row) => unguardCell(row[at]?.trim() ?? "")).filter((cell) => cell !== "");
  const without = phones.filter(lacksCallingCode).length;
  if (without === 0) return null;
  const have = `${without} of the first ${phones.length} numbers ${without === 1 ? "has" : "have"} no country code`;
  const country = phoneCountries().find((code) => code === plan.country);
  return country === undefined ? (
    <Banner kind="warning">
      {have}. Select their country above. Otherwise the first digits are read as a country code: check the numbers
      below.
    </Banner>
  ) : (
    <Banner kind="note">
      {have}. They are read as numbers from {countryName(country)}.
    </Banner>
  );
}

const orders = { day_first: "the day first", month_first: "the month first" };

function DateNotice({ dates, plan }: { dates: DateGuess; plan: ImportPlan }) {
  const { date_order: order } = plan;
  if (order === null || (dates.evidence === null && dates.open === null)) return null;
  const reason = dates.order === order && dates.evidence !== null ? `, as in “${dates.evidence}”` : "";
  return <p class="help">{`Dates are read with ${orders[order]}${reason}.`}</p>;
}

function problemWithDates({ open }: DateGuess, { date_order: order }: ImportPlan): string | null {
  if (order !== null || open === null) return null;
  return `The order of day and month in “${open}” is unclear. Select it above.`;
}

export function ImportPreview({ delimiter, ...props }: FileProps & { delimiter: string }) {
  const { hasHeads, rows } = props;
  const dates = inspectDates(rows, props.plan);
  const plan = { ...props.plan, date_order: props.plan.date_order ?? dates.order };
  const problem = findMappingProblem(plan.mapping, plan.fields) ?? problemWithDates(dates, plan);
  const file = { ...props, plan };
  return (
    <form id="import-plan">
      <Section title="Columns">
        <ImportSelect name="delimiter" label="Columns are separated by" chosen={delimiter} options={delimiters} />
        <div class="field check">
          <input type="checkbox" id="import-heads" name="has_heads" checked={hasHeads} />
          <label for="import-heads">First row contains column names</label>
        </div>
        <div id="import-places">
          <ColumnTargets {...file} />
        </div>
      </Section>
      <Section title="Format">
        <ReadingSettings plan={plan} chosen={props.plan.date_order} />
      </Section>
      <Section id="import-stored" title="Preview" help="Nothing is imported yet. These are the first rows.">
        <div data-problem={problem ?? undefined} data-date-order={plan.date_order ?? ""}>
          <PhoneNotice {...file} />
          <DateNotice dates={dates} plan={plan} />
          <UnusedColumns {...file} />
          {problem === null ? <StoredRows {...file} /> : <Banner kind="error">{problem}</Banner>}
        </div>
      </Section>
      <Section title="Start">
        <div class="field narrow">
          <label for="import-tag">
            Tag all contacts in this file<span class="optional"> optional</span>
          </label>
          <p class="help" id="import-tag-help">
            Helps you find these contacts later.
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
        <div id="import-go">
          <button type="submit" id="import-start" disabled={problem !== null}>
            Import
          </button>
        </div>
      </Section>
    </form>
  );
}
