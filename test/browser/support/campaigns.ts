import { z } from "zod";
import { eventually } from "../../process/service.ts";
import type { Workspace } from "./people.ts";

const templateMade = z.object({ template: z.object({ id: z.string() }) });
const campaignMade = z.object({ campaign_id: z.string() });
const campaignShown = z.object({ campaign: z.object({ status: z.string() }) });

export class Audience {
  readonly workspace: Workspace;
  readonly templateId: string;

  constructor(workspace: Workspace, templateId: string) {
    this.workspace = workspace;
    this.templateId = templateId;
  }

  api(method: string, path: string, body?: object): Promise<unknown> {
    return this.workspace.call(method, path, body);
  }

  async start(fields: object = {}): Promise<string> {
    const campaign = { template_id: this.templateId, channel: "unofficial", ...fields };
    return campaignMade.parse(await this.api("POST", "/campaigns", campaign)).campaign_id;
  }

  async untilCompleted(id: string): Promise<void> {
    await eventually("The end of the campaign", 60_000, async () => {
      const { campaign } = campaignShown.parse(await this.api("GET", `/campaigns/${id}`));
      return campaign.status === "completed" ? true : null;
    });
  }
}

const NAMES = ["Ada Okafor", "Bruno Lima", "Chloe Evans", "Jörg Weiß", "Dana Kim", "Emeka Obi"];

/** Fills a workspace with a template and `people` contacts, some of them tagged, unsubscribed or hard to reach. */
export async function newAudience(workspace: Workspace, people: number): Promise<Audience> {
  const contacts = Array.from({ length: people }, (_, at) => ({
    phone: `+1415${3_000_000 + at * 10_000 + (at % 12 === 5 ? 1 : 1234)}`,
    name: NAMES[at % NAMES.length],
    tags: at % 2 === 0 ? ["Newsletter"] : ["VIP"],
    is_unsubscribed: at % 10 === 9,
  }));
  await workspace.call("POST", "/contacts/batch", { contacts });
  const template = {
    name: "Spring sale",
    body: "Hi {{first_name|there}},\nour sale begins on {{day}}. Come by and say hello!\n\nReply STOP to hear no more.",
  };
  const made = templateMade.parse(await workspace.call("POST", "/templates", template));
  return new Audience(workspace, made.template.id);
}
