import type { Child, FC } from "hono/jsx";
import { usePageRequest } from "./request.ts";

export interface Column<Row> {
  /** Empty for a column of buttons. */
  label: string;
  cell(row: Row): Child;
  /** Numbers and buttons are aligned right. */
  align?: "end";
}

interface TableProps<Row> {
  /** Describes the table to screen readers. */
  caption: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  id?: string;
}

/** Rows and columns; on a narrow screen each row becomes a card whose cells carry their column's name. */
export function Table<Row>({ caption, columns, rows, id }: TableProps<Row>) {
  return (
    <table id={id}>
      <caption class="unseen">{caption}</caption>
      <thead>
        <tr>
          {columns.map(({ label, align }) => (
            <th scope="col" class={align}>
              {label === "" ? <span class="unseen">Actions</span> : label}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr>
            {columns.map(({ label, align, cell }) => (
              <td class={align} data-label={label}>
                {cell(row)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** Links below a list, to its next page and back to its first. `next` is the cursor of the next page. */
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
