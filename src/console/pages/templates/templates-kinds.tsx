import type { FC } from "hono/jsx";
import { useWorkspaceRequest } from "../../kit/request.ts";

const KINDS = [
  { kind: "text", at: "/templates/new", label: "Text template", help: "For unofficial connections. No review." },
  {
    kind: "whatsapp",
    at: "/templates/new/whatsapp",
    label: "WhatsApp template",
    help: "For official connections. Reviewed by WhatsApp.",
  },
] as const;

export const TemplateKinds: FC<{ chosen: (typeof KINDS)[number]["kind"] }> = ({ chosen }) => {
  const { path } = useWorkspaceRequest();
  return (
    <nav class="kinds" aria-label="Kind of template">
      {KINDS.map(({ kind, at, label, help }) => (
        <a href={path(at)} aria-current={kind === chosen ? "page" : undefined}>
          <strong>{label}</strong>
          <span class="help">{help}</span>
        </a>
      ))}
    </nav>
  );
};
