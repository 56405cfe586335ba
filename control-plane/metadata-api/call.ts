import type { MetadataCallResult } from '../../shared/contract/schemas/metadata-api.js';
import { configurationOfRow } from '../../shared/feed/metadata-api-row.js';
import { callMetadataApi, compileMetadataApi, type ListedUrls, type MetadataCall, type RequestSender } from '../../shared/metadata/call.js';
import { metadataSecretPlace, type SecretKeys, unseal } from '../../shared/secrets/seal.js';
import { blockedUrls } from '../blocklist/check.js';
import type { Queryable } from '../db/database.js';
import type { MetadataApiRow } from './metadata-api-row.js';

/** What is needed to call customers' metadata APIs. */
export interface MetadataCaller {
  readonly secretKeys: SecretKeys;
  /** SERVICE_NAME. */
  readonly serviceName: string;
  readonly sender: RequestSender;
}

/** Calls the API with the saved configuration, as the engine does; null if the configuration is disabled. `type` is the type's key. */
export async function callSaved(
  caller: MetadataCaller,
  database: Queryable,
  row: MetadataApiRow,
  type: string,
  id: string,
): Promise<MetadataCall | null> {
  if (row.status === 'disabled') return null;
  const credential = row.secret === null ? null : unseal(caller.secretKeys, metadataSecretPlace(row.id), row.secret);
  const api = compileMetadataApi(configurationOfRow(row), { type, service_name: caller.serviceName, credential });
  const listedUrls: ListedUrls = (urls) => blockedUrls(database, urls);
  return callMetadataApi(api, id, caller.sender, listedUrls);
}

/** The call as the API reports it, without what it says about the item. */
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
