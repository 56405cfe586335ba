import { idAt, isId } from '../../shared/base/ids.js';
import { laterThan } from '../../shared/base/instant.js';
import { isObject } from '../../shared/base/issue.js';
import { METADATA_SHOWN_BYTES_MAX } from '../../shared/base/limits.js';
import type { MetadataApi } from '../../shared/contract/schemas/metadata-api.js';
import type { FieldError } from '../../shared/contract/schemas/problem-codes.js';
import { secretHint } from '../../shared/metadata/auth-rules.js';
import { URL_FIELDS } from '../../shared/metadata/configuration.js';
import { type CheckedConfiguration, checkConfiguration } from '../../shared/metadata/configuration-rules.js';
import { textOfField } from '../../shared/metadata/field-text.js';
import { itemIdIssues } from '../../shared/metadata/request.js';
import { checkOutboundUrl, type OutboundUrlCheck, URL_REFUSAL_DETAILS } from '../../shared/net/public-host.js';
import { metadataSecretPlace, type SecretKeys, seal } from '../../shared/secrets/seal.js';
import { findBlockedErrors, type PlacedDestination } from '../blocklist/check.js';
import type { Database, Queryable } from '../db/database.js';
import { bodyErrors } from '../http/issue-errors.js';
import type { Call, Operations, UncheckedCall } from '../http/operation.js';
import { fieldError, noSuch, Refusal, refuse, refuseFields } from '../http/problems.js';
import type { ResourceTypeRow } from '../resource-types/resource-type-row.js';
import { findResourceType, lockResourceType } from '../resource-types/sql.js';
import { callResult, callSaved, type MetadataCaller } from './call.js';
import { type MetadataApiRow, metadataApiOfRow, storedOfRow } from './metadata-api-row.js';
import * as sql from './sql.js';

export interface MetadataApiDependencies {
  readonly caller: MetadataCaller;
  readonly outbound: OutboundUrlCheck;
}

type MetadataApiOperations = Pick<Operations, 'getMetadataApi' | 'putMetadataApi' | 'testMetadataApi'>;

export function metadataApiOperations({ caller, outbound }: MetadataApiDependencies): MetadataApiOperations {
  return {
    getMetadataApi: {
      async handle(call, database) {
        const found = await findMetadataApi(call, database);
        if (found instanceof Refusal) throw found;
        return { body: metadataApiOfRow(found.row) };
      },
    },
    putMetadataApi: {
      check: (call, database) => configurationErrors(call, database, outbound),
      async handle(call, database) {
        const body = await putMetadataApi(call, database, caller.secretKeys, outbound.allow);
        return { body, committed: { feed: 'followed' } };
      },
    },
    testMetadataApi: {
      check: ({ body }) => (typeof body.id === 'string' ? bodyErrors(itemIdIssues(body.id, '/id')) : []),
      async plan(call, database) {
        const found = await findMetadataApi(call, database);
        if (found instanceof Refusal) return () => Promise.reject(found);
        const made = await callSaved(caller, database, found.row, found.type.key, call.body.id);
        return async () => ({
          body: {
            ...callResult(made),
            metadata: made?.answer.metadata ?? null,
            response_body: made?.shownBody(METADATA_SHOWN_BYTES_MAX) ?? null,
          },
        });
      },
    },
  };
}

type TypeCall = Pick<UncheckedCall, 'caller' | 'params'>;

/** The type's id, if the database can look it up: it does not accept every text. */
function typeId(call: TypeCall): string | null {
  const { type } = call.params;
  return type !== undefined && isId('resourceType', type) ? type : null;
}

interface FoundMetadataApi {
  readonly row: MetadataApiRow;
  readonly type: ResourceTypeRow;
}

/** A refusal is a value here, a response like any other, so that an idempotency key remembers it. */
async function findMetadataApi(call: TypeCall, database: Queryable): Promise<FoundMetadataApi | Refusal> {
  const id = typeId(call);
  const environmentId = call.caller.environment.id;
  const type = id === null ? null : await findResourceType(database, environmentId, id);
  if (id === null || type === null) return noSuch('resource type');
  const row = await sql.findMetadataApi(database, environmentId, id);
  return row === null ? refuse('not_found', 'The resource type has no metadata API: create one first.') : { row, type };
}

/** Returns every fault of every field, and a fault if the host does not resolve to public addresses. */
async function configurationErrors(call: UncheckedCall, database: Queryable, outbound: OutboundUrlCheck): Promise<readonly FieldError[]> {
  const id = typeId(call);
  const stored = id === null ? null : await sql.findMetadataApi(database, call.caller.environment.id, id);
  const checked = checkConfiguration(call.body, { allow: outbound.allow, stored: storedOfRow(stored) });
  // The schema reports what is missing from the body itself, and knows whether there is a body at all.
  const issues = checked.ok ? [] : checked.issues.filter(({ code, pointer }) => code !== 'required' || pointer.lastIndexOf('/') > 0);
  const errors = [...bodyErrors(issues)];
  const wrong = new Set(errors.map((error) => error.pointer));
  const shown = shownDefaults(call.body.field_defaults).filter(({ pointer }) => !wrong.has(pointer));
  errors.push(...(await findBlockedErrors(database, shown)));
  const url = call.body.url_template;
  if (typeof url !== 'string' || errors.some((error) => error.pointer === '/url_template')) return errors;
  const refusal = await checkOutboundUrl(url, outbound);
  if (refusal === 'private_address') errors.push(fieldError('body', '/url_template', 'host_not_public', URL_REFUSAL_DETAILS[refusal]));
  return errors;
}

/** URLs that cards show when an answer has none, as the mapping reads them. */
function shownDefaults(defaults: unknown): readonly PlacedDestination[] {
  if (!isObject(defaults)) return [];
  return URL_FIELDS.flatMap((field) => {
    const given = defaults[field];
    const url = typeof given === 'string' ? textOfField(field, given, []).text : null;
    return url === null ? [] : [{ pointer: `/field_defaults/${field}`, url }];
  });
}

/** Checked again under the lock, because the credential that a call wants to keep may have been removed since the first check. */
async function putMetadataApi(
  call: Call<'putMetadataApi'>,
  database: Database,
  secretKeys: SecretKeys,
  allow: readonly string[],
): Promise<MetadataApi> {
  const id = typeId(call);
  const environmentId = call.caller.environment.id;
  if (id === null) throw noSuch('resource type');
  return database.transaction(async (transaction) => {
    // The lock on the type also protects its configuration against other changes.
    const type = await lockResourceType(transaction, environmentId, id);
    if (type === null) throw noSuch('resource type');
    if (type.status === 'archived') throw refuse('conflict', 'The resource type is archived.');
    const before = await sql.findMetadataApi(transaction, environmentId, id);
    call.requireMatch(before === null ? null : metadataApiOfRow(before));
    const checked = checkConfiguration(call.body, { allow, stored: storedOfRow(before) });
    if (!checked.ok) throw refuseFields(bodyErrors(checked.issues));
    const row = configuredRow(checked.value, before, { resourceTypeId: id, nowMs: call.nowMs, secretKeys });
    return metadataApiOfRow(await sql.putMetadataApi(transaction, environmentId, row));
  });
}

interface PutContext {
  readonly resourceTypeId: string;
  readonly nowMs: number;
  readonly secretKeys: SecretKeys;
}

function configuredRow(
  { configuration, credential }: CheckedConfiguration,
  before: MetadataApiRow | null,
  { resourceTypeId, nowMs, secretKeys }: PutContext,
): Omit<MetadataApiRow, 'generation'> {
  const { auth, ...fields } = configuration;
  const id = before?.id ?? idAt('metadataApi', nowMs);
  const kept = credential.kind === 'keep' ? before : null;
  const secret = credential.kind === 'set' ? seal(secretKeys, metadataSecretPlace(id), credential.secret) : (kept?.secret ?? null);
  return {
    ...fields,
    id,
    resource_type_id: resourceTypeId,
    auth_type: auth.type,
    header_name: auth.header_name,
    secret,
    secret_hint: credential.kind === 'set' ? secretHint(credential.secret) : (kept?.secret_hint ?? null),
    created_at: before?.created_at ?? new Date(nowMs),
    updated_at: before === null ? new Date(nowMs) : laterThan(before.updated_at, nowMs),
  };
}
