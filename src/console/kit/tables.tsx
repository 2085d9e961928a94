import type { Child, FC } from "hono/jsx";
import { Icon } from "./icon.tsx";
import { usePageRequest } from "./request.ts";

export interface Column<Row> {
  name?: string;
  isEditable?: boolean;
  label: string;
  cell(row: Row): Child;
  align?: "end";
}

export interface SortableHeading {
  href: string;
  sorted: "ascending" | "descending" | undefined;
}

const Heading: FC<{ label: string; sortable: SortableHeading | undefined }> = ({ label, sortable }) => {
  if (label === "") return <span class="unseen">Actions</span>;
  if (sortable === undefined) return <>{label}</>;
  const { href, sorted } = sortable;
  return (
    <a href={href} class="sort">
      {label}{" "}
      <Icon
        name={sorted === undefined ? "chevrons-up-down" : sorted === "ascending" ? "chevron-up" : "chevron-down"}
        size="small"
      />
    </a>
  );
};

interface TableProps<Row> {
  caption: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  buttons?(row: Row): Child;
  id?: string;
  /** If true, a narrow screen shows the first cell as a heading, and the others in a line without column names. */
  isCompact?: boolean;
  sortable?: ReadonlyMap<string, SortableHeading>;
}

export function Table<Row>({ caption, columns, rows, buttons, id, sortable, isCompact = false }: TableProps<Row>) {
  const allColumns: readonly Column<Row>[] =
    buttons === undefined ? columns : [...columns, { label: "", align: "end", cell: buttons }];
  return (
    <table id={id} class={isCompact ? "compact" : undefined}>
      <caption class="unseen">{caption}</caption>
      <thead>
        <tr>
          {allColumns.map(({ name = "", label, align }) => (
            <th scope="col" class={align} aria-sort={sortable?.get(name)?.sorted}>
              <Heading label={label} sortable={sortable?.get(name)} />
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr>
            {allColumns.map(({ name, label, align, isEditable = false, cell }) => (
              <td class={align} data-label={label} data-edit={isEditable ? name : undefined}>
                {cell(row)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

export interface PagedTableProps<Row> extends TableProps<Row> {
  empty: Child;
  next?: string | null;
  live?: { id: string; seconds: number };
}

export function PagedTable<Row>({ empty, next = null, live, ...props }: PagedTableProps<Row>) {
  const table = <Table {...props} />;
  const polled = live !== undefined && (
    <div id={live.id} data-poll={live.seconds}>
      {table}
    </div>
  );
  return (
    <>
      {props.rows.length === 0 ? empty : polled || table}
      <Pager next={next} />
    </>
  );
}

export const Pager: FC<{ next: string | null }> = ({ next }) => {
  const { url } = usePageRequest();
  const to = (cursor: string | null) => {
    const query = new URLSearchParams(url.search);
    if (cursor === null) query.delete("cursor");
    else query.set("cursor", cursor);
    return `${url.pathname}?${query.toString()}`;
  };
  const isFirst = !url.searchParams.has("cursor");
  if (next === null && isFirst) return null;
  return (
    <nav class="pager" aria-label="Pages">
      {!isFirst && <a href={to(null)}>First page</a>}
      {next !== null && (
        <a href={to(next)} rel="next">
          Next page
        </a>
      )}
    </nav>
  );
};
