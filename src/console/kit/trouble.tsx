import { show } from "./answers.ts";
import { renderCard } from "./layout.tsx";
import type { Visit } from "./visit.ts";

/** A page in place of one that cannot be shown. */
export const renderTrouble = (visit: Visit, title: string, text: string, requestId: string): Promise<string> => {
  const body = (
    <>
      <p>{text}</p>
      <p>
        <a href="/console">Go to the console</a>
      </p>
      <p class="help">Request {requestId}</p>
    </>
  );
  return renderCard(visit, show({ title, body }));
};
