import { METADATA_SHOWN_BYTES_MAX } from '../../shared/base/limits.js';
import { textExcerpt } from '../../shared/base/text-excerpt.js';
import type { MetadataCallResult } from '../../shared/contract/schemas/metadata-api.js';
import { configurationOfRow } from '../../shared/feed/metadata-api-row.js';
import { callMetadataApi, compileMetadataApi, type MetadataCall, type RequestSender } from '../../shared/metadata/call.js';
import { metadataSecretPlace, type SecretKeys, unseal } from '../../shared/secrets/seal.js';
import type { MetadataApiRow } from './metadata-api-row.js';

/** What it takes to call customers' metadata APIs. */
export interface MetadataCaller {
  readonly secretKeys: SecretKeys;
  /** SERVICE_NAME. */
  readonly serviceName: string;
  readonly sender: RequestSender;
}

/** A call, and as much of the answer's body as is shown. */
export interface SavedCall extends MetadataCall {
  readonly shown_body: string | null;
}

/** Calls the API with the saved configuration, as the engine does; null where the configuration is disabled. `type` is the type's key. */
export async function callSaved(caller: MetadataCaller, row: MetadataApiRow, type: string, id: string): Promise<SavedCall | null> {
  if (row.status === 'disabled') return null;
  const credential = row.secret === null ? null : unseal(caller.secretKeys, metadataSecretPlace(row.id), row.secret);
  const api = compileMetadataApi(configurationOfRow(row), { type, service_name: caller.serviceName, credential });
  const made = await callMetadataApi(api, id, caller.sender);
  return { ...made, shown_body: made.body === null ? null : textExcerpt(without(made.body, credential), METADATA_SHOWN_BYTES_MAX) };
}

/** The body with the credential blotted out, as it is and as JSON writes it: an API that repeats its request must not give it away. */
function without(body: Uint8Array, credential: string | null): Uint8Array {
  if (credential === null) return body;
  let text = Buffer.from(body).toString('latin1');
  for (const form of [credential, JSON.stringify(credential).slice(1, -1)]) text = text.replaceAll(form, '*'.repeat(8));
  return Buffer.from(text, 'latin1');
}

/** The call as the API tells of it, apart from what the item is. */
export function callResult(call: MetadataCall | null): MetadataCallResult {
  if (call === null)
    return { outcome: 'skipped', reason: null, status: null, latency_ms: null, request_url: null, warnings: [], issues: [] };
  const { outcome, reason, status, warnings, issues } = call.answer;
  return {
    outcome,
    reason,
    status,
    latency_ms: call.latency_ms,
    request_url: call.request_url,
    warnings: warnings.map((note) => ({ ...note })),
    issues: issues.map((note) => ({ ...note })),
  };
}
