import { idAt } from '../../shared/base/ids.js';
import { isObject } from '../../shared/base/issue.js';
import { type CampaignCreate, campaignCreateSchema } from '../../shared/contract/schemas/campaign.js';
import type { EnvironmentName } from '../../shared/records/records.js';
import { buildEvent } from '../../shared/webhooks/body.js';
import { campaignOfRow } from '../campaigns/campaign-row.js';
import { newCampaignRow, periodErrors, periodOf } from '../campaigns/rules.js';
import { insertCampaign } from '../campaigns/sql.js';
import type { Database } from '../db/database.js';
import { compileValidator } from '../http/validate.js';
import type { ImportLine } from './attempt.js';
import { valuesOf } from './sources/json-lines.js';
import { type OnRead, said } from './sources/source-link.js';

export interface CampaignTarget {
  readonly database: Database;
  readonly environmentId: string;
  readonly environment: EnvironmentName;
  readonly dryRun: boolean;
  readonly nowMs: number;
}

export interface CampaignFile {
  readonly file: string;
  readonly interrupted: AbortSignal;
  /** Keys of campaigns that need not be imported. */
  readonly done: ReadonlySet<string>;
  readonly onRead: OnRead;
}

const MEMBERS = Object.keys(campaignCreateSchema.properties);
/** The columns that a file of campaigns may have. */
const COLUMNS: ReadonlySet<string> = new Set([...MEMBERS, 'status']);
const validate = compileValidator(campaignCreateSchema, 'body');

/** Creates the campaigns of a file whose keys are free, and yields a line for each. An existing campaign stays as it is. */
export async function* importCampaigns(
  { file, interrupted, done, onRead }: CampaignFile,
  target: CampaignTarget,
): AsyncIterable<ImportLine> {
  let number = 0;
  for await (const read of valuesOf(file, COLUMNS, onRead)) {
    interrupted.throwIfAborted();
    number++;
    const object = 'value' in read && isObject(read.value) ? read.value : {};
    const id = typeof object.key === 'string' && object.key !== '' ? object.key : `number ${number}`;
    if (done.has(id)) continue;
    const { outcome, reason } = 'fault' in read ? failed(read.fault) : await importCampaign(object, target);
    yield { row: number, id, outcome, url: null, lost: [], reason };
  }
}

type Outcome = Pick<ImportLine, 'outcome' | 'reason'>;

function failed(reason: string): Outcome {
  return { outcome: 'failed', reason };
}

async function importCampaign(object: Readonly<Record<string, unknown>>, target: CampaignTarget): Promise<Outcome> {
  const { database, environmentId, environment, dryRun, nowMs } = target;
  const body = said(Object.fromEntries(MEMBERS.map((name) => [name, object[name]]))) as CampaignCreate;
  const [wrong] = [...validate(body), ...periodErrors(periodOf(body), '/ends_at')];
  if (wrong !== undefined) return failed(`${wrong.pointer}: ${wrong.detail}`);
  const made = newCampaignRow(body, idAt('campaign', nowMs), nowMs);
  const row = object.status === 'ended' ? { ...made, status: 'ended' as const } : made;
  const event = buildEvent({ environment_id: environmentId, environment, at_ms: nowMs }, 'campaign.created', campaignOfRow(row, nowMs));
  const isNew = dryRun ? await isFree(database, environmentId, row.key) : await insertCampaign(database, environmentId, row, [event]);
  return { outcome: isNew ? 'created' : 'exists', reason: null };
}

async function isFree(database: Database, environmentId: string, key: string): Promise<boolean> {
  const { rowCount } = await database.query({
    text: 'SELECT 1 FROM campaigns WHERE environment_id = $1 AND key = $2',
    values: [environmentId, key],
  });
  return rowCount === 0;
}
