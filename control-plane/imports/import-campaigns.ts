import { idAt } from '../../shared/base/ids.js';
import { isObject } from '../../shared/base/issue.js';
import { type CampaignCreate, campaignCreateSchema } from '../../shared/contract/schemas/campaign.js';
import type { EnvironmentName } from '../../shared/records/records.js';
import { buildEvent } from '../../shared/webhooks/body.js';
import { campaignOfRow } from '../campaigns/campaign-row.js';
import { newCampaignRow } from '../campaigns/rules.js';
import { insertCampaign } from '../campaigns/sql.js';
import type { Database } from '../db/database.js';
import { compileValidator } from '../http/validate.js';
import { objectsOf } from './sources/json-lines.js';
import { said } from './sources/source-link.js';

export interface CampaignTarget {
  readonly database: Database;
  readonly environmentId: string;
  readonly environment: EnvironmentName;
  readonly dryRun: boolean;
  readonly nowMs: number;
}

const MEMBERS = Object.keys(campaignCreateSchema.properties);
/** The columns that a file of campaigns may have. */
const COLUMNS: ReadonlySet<string> = new Set([...MEMBERS, 'status']);
const validate = compileValidator(campaignCreateSchema, 'body');

/** Creates the campaigns of a file whose keys are free. An existing campaign stays as it is. */
export async function importCampaigns(file: string, { database, environmentId, environment, dryRun, nowMs }: CampaignTarget) {
  const counts = { created: 0, exists: 0 };
  for await (const line of objectsOf(file, COLUMNS)) {
    const object = isObject(line) ? line : {};
    const body = said(Object.fromEntries(MEMBERS.map((name) => [name, object[name]]))) as CampaignCreate;
    const [wrong] = validate(body);
    if (wrong !== undefined)
      throw new SyntaxError(`the campaign ${JSON.stringify(object.key)} is invalid: ${wrong.pointer} ${wrong.detail}`);
    const made = newCampaignRow(body, idAt('campaign', nowMs), nowMs);
    const row = object.status === 'ended' ? { ...made, status: 'ended' as const } : made;
    const event = buildEvent({ environment_id: environmentId, environment, at_ms: nowMs }, 'campaign.created', campaignOfRow(row, nowMs));
    const isNew = dryRun ? await isFree(database, environmentId, row.key) : await insertCampaign(database, environmentId, row, [event]);
    if (isNew) counts.created++;
    else counts.exists++;
  }
  return counts;
}

async function isFree(database: Database, environmentId: string, key: string): Promise<boolean> {
  const { rowCount } = await database.query({
    text: 'SELECT 1 FROM campaigns WHERE environment_id = $1 AND key = $2',
    values: [environmentId, key],
  });
  return rowCount === 0;
}
