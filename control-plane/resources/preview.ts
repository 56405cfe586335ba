import { formatInstant } from '../../shared/base/instant.js';
import type { PreviewResult } from '../../shared/contract/schemas/resources.js';
import type { Answer } from '../../shared/metadata/answer.js';
import type { MetadataCall } from '../../shared/metadata/call.js';
import { type Card, composeCard, genericCard } from '../../shared/metadata/card.js';
import { UNKNOWN_VISITOR, type Visitor } from '../../shared/resolve/recognise-visitor.js';
import { deriveClickIdKeys } from '../../shared/secrets/click-id-keys.js';
import type { Queryable } from '../db/database.js';
import { readEnvironmentRecord } from '../environment/environment-record.js';
import type { Call } from '../http/operation.js';
import { callResult, callSaved, type MetadataCaller } from '../metadata-api/call.js';
import type { MetadataApiRow } from '../metadata-api/metadata-api-row.js';
import { findMetadataApi } from '../metadata-api/sql.js';
import { explainUrl } from '../url-templates/test-url.js';
import { findTypeByKey } from './invalidate.js';
import { readRemembered, type SharedAnswer } from './remembered.js';

const NOTHING_REMEMBERED: PreviewResult['cache'] = { state: 'none', fetched_at: null, expires_at: null };

const PREVIEW_BOT: Visitor = { ...UNKNOWN_VISITOR, preview_bot: true };

/**
 * The card that a preview bot would see for the path, by the code that resolves visitors' paths and that makes their cards. The metadata
 * API is called now; nothing is remembered or counted.
 */
export async function previewPath(call: Call<'previewResource'>, database: Queryable, caller: MetadataCaller): Promise<PreviewResult> {
  const environmentId = call.caller.environment.id;
  const { project_name: site } = await readEnvironmentRecord(database, environmentId);
  const { match, rendered, resolution } = await explainUrl(call, database, deriveClickIdKeys(caller.secretKeys), PREVIEW_BOT);
  const { template, detail } = match;
  if (template === null || rendered === null || resolution === null)
    return {
      result: match.result,
      resource: null,
      metadata_api: 'none',
      fetch: null,
      cache: NOTHING_REMEMBERED,
      card: shownCard(genericCard(site)),
      redirect_url: null,
      detail,
    };
  const [type, id] = [template.resource_type, match.id as string];
  const api = await findApi(database, environmentId, type);
  const remembered = api === null ? null : await readRemembered(database, api, id);
  const blocked = resolution.outcome === 'blocked';
  const called = blocked ? null : api;
  const made = called === null ? null : await callSaved(caller, database, called, type, id);
  const redirect_url = api?.status !== 'active' && resolution.outcome === 'preview_redirect' ? resolution.destination : null;
  const chosen = blocked ? BLOCKED : redirect_url === null ? chooseAnswer(api, made, remembered) : REDIRECTED;
  const card = composeCard(chosen.answer, site);
  return {
    result: match.result,
    resource: {
      resource_type: type,
      id,
      template_id: template.id,
      deep_link_path: card.deep_link_path ?? rendered.deep_link_path,
      data: rendered.data,
      resource_status: chosen.answer?.metadata?.resource_status ?? null,
    },
    metadata_api: api === null ? 'none' : api.status,
    fetch: called === null ? null : callResult(made),
    cache: remembered === null ? NOTHING_REMEMBERED : cacheState(remembered),
    card: shownCard(card),
    redirect_url,
    detail: `${detail} ${chosen.detail}`,
  };
}

async function findApi(database: Queryable, environmentId: string, typeKey: string): Promise<MetadataApiRow | null> {
  const typeId = await findTypeByKey(database, environmentId, typeKey);
  return typeId === null ? null : findMetadataApi(database, environmentId, typeId);
}

/** No metadata API is called. */
const REDIRECTED: ChosenAnswer = {
  answer: null,
  detail: 'No metadata API is active: a preview bot is redirected to the web destination, and the card of that page is shown.',
};

const BLOCKED: ChosenAnswer = {
  answer: null,
  detail: 'The destination of the item is on the block list: a preview bot gets a page that says so (403), and no metadata API is called.',
};

interface ChosenAnswer {
  /** Null for a generic card. */
  readonly answer: Answer | null;
  readonly detail: string;
}

/** If the API fails or its answer cannot be used, the remembered answer for the item is used instead. */
function chooseAnswer(api: MetadataApiRow | null, made: MetadataCall | null, remembered: SharedAnswer | null): ChosenAnswer {
  if (api === null)
    return { answer: null, detail: 'The resource type has no metadata API and the item has no web destination: the card is generic.' };
  if (made === null)
    return { answer: null, detail: 'The metadata API is disabled and the item has no web destination: the card is generic.' };
  const { answer } = made;
  if (answer.outcome === 'missing') return { answer, detail: 'The metadata API knows no such item.' };
  if (answer.meaning !== 'published') return { answer, detail: `The metadata API says that the item is ${answer.meaning}.` };
  if (answer.outcome === 'ok') return { answer, detail: 'The card shows the answer of the metadata API.' };
  if (remembered !== null)
    return { answer: remembered.answer, detail: 'The metadata API gave no usable answer: the card shows the cached one.' };
  return { answer, detail: 'The metadata API gave no usable answer and none is cached: the card is generic.' };
}

function cacheState({ answer, fresh, fetched_at, expires_at }: SharedAnswer): PreviewResult['cache'] {
  return {
    state: answer.outcome === 'missing' ? 'missing' : fresh ? 'fresh' : 'stale',
    fetched_at: formatInstant(fetched_at.getTime()),
    expires_at: formatInstant(expires_at.getTime()),
  };
}

function shownCard({ kind, title, description, image_url, large_image }: Card): PreviewResult['card'] {
  return { kind, title, description, image_url, large_image };
}
