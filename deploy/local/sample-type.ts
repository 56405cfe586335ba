import { request } from 'node:http';
import { text } from 'node:stream/consumers';
import type { Queryable } from '../../control-plane/db/database.js';
import { RESOURCE_TYPES_MAX, URL_TEMPLATES_MAX } from '../../shared/base/limits.js';
import { LinkService } from '../../shared/sdk/server.js';
import { SHOE_TEMPLATE, SHOE_TYPE, shoeApi } from '../demo/sample-api.js';
import { LINK_HOSTS } from './demo.js';

/** Belongs to the demo's resource type, in its live environment. The test environment stays as empty as a new one. */
export const SAMPLE_CARD_PATH = '/demo/shoes/1';
const SAMPLE_CARD_TITLE = 'Trail runner';

/**
 * The state of the demo's type.
 *
 * `unmade`  There is nothing, in an environment without any types; or only a part of it, left by a start that was killed.
 * `made`    There is all of it, with the metadata API on the port.
 * `left`    Somebody has archived, disabled or changed it, or created types without it. The start does not touch it.
 */
export type SampleState = { readonly kind: 'unmade' } | { readonly kind: 'made'; readonly port: number } | { readonly kind: 'left' };

interface SampleRow {
  readonly types: number;
  readonly type_status: 'active' | 'archived' | null;
  readonly template_active: boolean;
  readonly api_status: 'active' | 'disabled' | null;
  readonly url_template: string | null;
}

export async function findSample(database: Queryable): Promise<SampleState> {
  const { rows } = await database.query<SampleRow>({
    text: `SELECT (SELECT count(*) FROM resource_types WHERE environment_id = environment.id)::integer AS types,
             type.status AS type_status, api.status AS api_status, api.url_template,
             EXISTS (SELECT FROM url_templates WHERE resource_type_id = type.id AND path_pattern = $3 AND status = 'active') AS template_active
           FROM environments AS environment
             LEFT JOIN resource_types AS type ON type.environment_id = environment.id AND type.key = $2
             LEFT JOIN metadata_apis AS api ON api.resource_type_id = type.id
           WHERE environment.name = 'live' AND environment.link_host = $1`,
    values: [LINK_HOSTS.live, SHOE_TYPE.key, SHOE_TEMPLATE.pathPattern],
  });
  const [row] = rows;
  if (row?.types === 0) return { kind: 'unmade' };
  if (row?.type_status !== 'active') return { kind: 'left' };
  if (row.url_template === null) return { kind: 'unmade' };
  const port = /^http:\/\/127\.0\.0\.1:(\d+)\/shoes\/\{id\}$/.exec(row.url_template)?.[1];
  const shown = port !== undefined && row.api_status === 'active' && row.template_active;
  return shown ? { kind: 'made', port: Number(port) } : { kind: 'left' };
}

export interface SampleInput {
  /** `http://127.0.0.1:3000/v1` */
  readonly baseUrl: string;
  /** The secret key of the demo's live environment. */
  readonly secretKey: string;
  readonly state: SampleState;
  readonly api: { readonly port: number; readonly origin: string };
}

/**
 * Creates the type as a customer would, or updates the address of its metadata API. The configuration is written last, because the type
 * counts as made when it exists. Returns whether anything was changed. Throws `LinkServiceError`.
 */
export async function prepareSampleType({ baseUrl, secretKey, state, api }: SampleInput): Promise<boolean> {
  if (state.kind === 'left' || (state.kind === 'made' && state.port === api.port)) return false;
  const service = new LinkService({ baseUrl, secretKey });
  const types = await service.resourceTypes.list().toArray({ max: RESOURCE_TYPES_MAX });
  const type = types.find(({ key }) => key === SHOE_TYPE.key) ?? (await service.resourceTypes.create(SHOE_TYPE));
  const configuration = shoeApi(api.origin);
  if (state.kind === 'made') {
    // Only the address is changed. Whatever else was changed belongs to somebody else.
    const { id, resourceTypeId, auth, createdAt, updatedAt, ...kept } = await service.resourceTypes.metadataApi.get(type.id);
    await service.resourceTypes.metadataApi.put(type.id, { ...kept, urlTemplate: configuration.urlTemplate });
    return true;
  }
  const templates = await service.urlTemplates.list({ resourceTypeId: type.id }).toArray({ max: URL_TEMPLATES_MAX });
  if (!templates.some(({ pathPattern }) => pathPattern === SHOE_TEMPLATE.pathPattern))
    await service.urlTemplates.create({ resourceTypeId: type.id, ...SHOE_TEMPLATE });
  await service.resourceTypes.metadataApi.put(type.id, configuration);
  return true;
}

const LIVE_MS_MAX = 5000;
const ASK_AFTER_MS = 20;

/**
 * Waits until the engine shows the sample's own card, so that the printed command shows it at once. Waits at most some seconds, because
 * somebody may have changed what the card shows.
 */
export async function untilCardIsLive(engineOrigin: string, aborted: AbortSignal): Promise<void> {
  for (const end = performance.now() + LIVE_MS_MAX; !aborted.aborted && performance.now() < end; ) {
    if ((await cardOf(engineOrigin)).includes(SAMPLE_CARD_TITLE)) return;
    await new Promise((resolve) => setTimeout(resolve, ASK_AFTER_MS));
  }
}

/** Connects to the address, because not every resolver knows names below `localhost`. Empty if there is no response. */
function cardOf(engineOrigin: string): Promise<string> {
  return new Promise((resolve) => {
    const headers = { host: LINK_HOSTS.live, 'user-agent': 'Slackbot' };
    const outgoing = request(engineOrigin + SAMPLE_CARD_PATH, { headers, agent: false }, (response) => {
      text(response).then(resolve, () => resolve(''));
    });
    outgoing.on('error', () => resolve(''));
    outgoing.end();
  });
}
