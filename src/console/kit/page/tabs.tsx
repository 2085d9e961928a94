import type { FC } from "hono/jsx";

interface Tab {
  label: string;
  href: string;
  isCurrent: boolean;
}

export const Tabs: FC<{ label: string; tabs: readonly Tab[] }> = ({ label, tabs }) => (
  <nav class="tabs" aria-label={label}>
    <ul>
      {tabs.map((tab) => (
        <li>
          <a href={tab.href} aria-current={tab.isCurrent ? "page" : undefined}>
            {tab.label}
          </a>
        </li>
      ))}
    </ul>
  </nav>
);
