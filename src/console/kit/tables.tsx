import type { Child, FC } from "hono/jsx";
import { useVisit } from "./visit.ts";

export interface Column<Row> {
  /** Empty for a column of buttons. */
  label: string;
  cell(row: Row): Child;
  /** Numbers and buttons stand right. */
  align?: "end";
}

interface TableProps<Row> {
  /** What the table shows, for those who do not see it. */
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

/** Links below a list: to its next page and back to its first. `next` is the service's `next_cursor`. */
export const Pager: FC<{ next: string | null }> = ({ next }) => {
  const { url } = useVisit();
  const to = (cursor: string | null) => {
    const query = new URLSearchParams(url.search);
    if (cursor === null) query.delete("cursor");
    else query.set("cursor", cursor);
    return `${url.pathname}?${query.toString()}`;
  };
  const isLater = url.searchParams.has("cursor");
  if (next === null && !isLater) return null;
  return (
    <nav class="pager" aria-label="Pages">
      {isLater && <a href={to(null)}>First page</a>}
      {next !== null && (
        <a href={to(next)} rel="next">
          Next page
        </a>
      )}
    </nav>
  );
};
