import type { PropsWithChildren } from "hono/jsx";
import { ButtonLink } from "../actions.tsx";
import { EmptyState } from "../feedback.tsx";
import type { IconName } from "../icon.tsx";
import { Page } from "./page.tsx";
import { PagedTable, type PagedTableProps } from "../tables.tsx";

interface ListPageProps<Row> extends Omit<PagedTableProps<Row>, "empty"> {
  title: string;
  create: { label: string; href: string } | undefined;
  empty: { title: string; icon: IconName; text: string };
}

export function ListPage<Row>({ title, create, empty, children, ...table }: PropsWithChildren<ListPageProps<Row>>) {
  const button =
    create === undefined ? undefined : (
      <ButtonLink href={create.href} kind="primary">
        {create.label}
      </ButtonLink>
    );
  return (
    <Page title={title} actions={table.rows.length > 0 ? button : undefined}>
      {children}
      <PagedTable
        {...table}
        empty={
          <EmptyState title={empty.title} icon={empty.icon} action={button}>
            {empty.text}
          </EmptyState>
        }
      />
    </Page>
  );
}
