import type { FC } from "hono/jsx";
import { Icon } from "../../kit/icon.tsx";

/** Alert settings of this browser, stored by a script. */
export const AlertSettings: FC = () => (
  <details class="menu end needs-script" id="alerts">
    <summary>
      <Icon name="bell" size="small" />
      <span class="unseen">Alerts</span>
    </summary>
    <div>
      <p class="help">When a message arrives, in this browser:</p>
      <label class="tick">
        <input type="checkbox" data-alert="sound" /> Play a sound
      </label>
      <label class="tick">
        <input type="checkbox" data-alert="notification" /> Show a notification
      </label>
      <p class="help" id="alerts-note" role="status"></p>
    </div>
  </details>
);
