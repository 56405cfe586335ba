import { idAt, isId } from '../../shared/base/ids.js';
import { URL_TEMPLATES_MAX } from '../../shared/base/limits.js';
import type { FieldError } from '../../shared/contract/schemas/problem-codes.js';
import { storedRedirect } from '../../shared/resolve/destination-rules.js';
import type { LinkUrlForm } from '../../shared/resolve/link-origin.js';
import { appSchemes } from '../../shared/resolve/stored-destination.js';
import { checkTemplate, type TemplateDefinition } from '../../shared/resolve/template-rules.js';
import type { ClickIdKeys } from '../../shared/secrets/click-id-keys.js';
import { findBlockedErrors, placedDestinations } from '../blocklist/check.js';
import type { Database, Queryable } from '../db/database.js';
import { readEnvironmentRecord } from '../environment/environment-record.js';
import { lockObjectCounts } from '../environment/lock.js';
import type { Caller } from '../http/authenticate.js';
import { type Cursors, type PageRequest, pagedList } from '../http/cursor.js';
import { bodyErrors } from '../http/issue-errors.js';
import type { Call, Operations, UncheckedCall } from '../http/operation.js';
import { pathRowReader } from '../http/path-row-reader.js';
import { fieldError, noSuch, refuse, refuseFields, refuseTaken } from '../http/problems.js';
import { triedPathErrors } from '../links/tried-url.js';
import { findResourceType, holdResourceType } from '../resource-types/sql.js';
import { columnsOf, findOverlap, inputOfBody, patchedRow, patchIssues } from './rules.js';
import * as sql from './sql.js';
import { testUrl } from './test-url.js';
import { type UrlTemplateRow, type UrlTemplateView, urlTemplateOfRow, urlTemplateWithWarnings } from './url-template-row.js';

export interface UrlTemplateDependencies {
  readonly form: LinkUrlForm;
  readonly cursors: Cursors;
  readonly clickIds: ClickIdKeys;
}

type UrlTemplateOperations = Pick<
  Operations,
  'listUrlTemplates' | 'createUrlTemplate' | 'testUrl' | 'getUrlTemplate' | 'updateUrlTemplate'
>;

export function urlTemplateOperations(dependencies: UrlTemplateDependencies): UrlTemplateOperations {
  const { cursors, clickIds, form } = dependencies;
  const viewOf = (caller: Caller): UrlTemplateView => ({ linkHost: caller.environment.linkHost, form });
  const list = pagedList(cursors, 'listUrlTemplates', 'urlTemplate');
  return {
    listUrlTemplates: {
      check: list.errors,
      async handle(call, database) {
        const { caller, query } = call;
        const filter = { status: query.status ?? null, resourceTypeId: query.resource_type_id ?? null };
        const select = (page: PageRequest) => sql.listTemplates(database, caller.environment.id, filter, page);
        return { body: await list.page(call, select, (row) => urlTemplateOfRow(row, viewOf(caller))) };
      },
    },
    createUrlTemplate: {
      check: creationErrors,
      async handle(call, database) {
        const row = await createTemplate(call, database);
        return { ...changedTemplate(row, viewOf(call.caller)), location: `/url-templates/${row.id}`, committed: { feed: 'followed' } };
      },
    },
    testUrl: {
      check: ({ body }) => triedPathErrors(body.path),
      handle: async (call, database) => ({ body: await testUrl(call, database, clickIds) }),
    },
    getUrlTemplate: {
      async handle(call, database) {
        return { body: urlTemplateOfRow(await requireTemplate(call, database), viewOf(call.caller)) };
      },
    },
    updateUrlTemplate: {
      check: changeErrors,
      async handle(call, database) {
        const view = viewOf(call.caller);
        return { ...changedTemplate(await updateTemplate(call, database, view), view), committed: { feed: 'followed' } };
      },
    },
  };
}

/** The warnings are not part of the template. */
function changedTemplate(row: UrlTemplateRow, view: UrlTemplateView) {
  return { body: urlTemplateWithWarnings(row, view), state: urlTemplateOfRow(row, view) };
}

const requireTemplate = pathRowReader({ parameter: 'template', kind: 'urlTemplate', noun: 'URL template', find: sql.findTemplate });

async function schemesOf(caller: Caller, database: Queryable) {
  return appSchemes(await readEnvironmentRecord(database, caller.environment.id));
}

async function creationErrors({ body, caller }: UncheckedCall, database: Queryable): Promise<readonly FieldError[]> {
  const { resource_type_id: typeId } = body;
  const known = typeof typeId === 'string' && isId('resourceType', typeId);
  const type = known ? await findResourceType(database, caller.environment.id, typeId) : null;
  const checked = checkTemplate(inputOfBody(body), type?.key ?? '', await schemesOf(caller, database));
  const errors = [...bodyErrors(checked.ok ? [] : checked.issues)];
  if (type === null && typeof typeId === 'string')
    errors.push(fieldError('body', '/resource_type_id', 'unknown_resource_type', 'is not a resource type of this environment'));
  return [...errors, ...(await blockedRedirects(body, errors, database))];
}

/** The errors for destinations in the body that are on the block list and have no other error. */
async function blockedRedirects(body: UncheckedCall['body'], errors: readonly FieldError[], database: Queryable) {
  const wrong = new Set(errors.map((error) => error.pointer));
  const destinations = placedDestinations('/redirects', body.redirects, storedRedirect).filter(({ pointer }) => !wrong.has(pointer));
  return findBlockedErrors(database, destinations);
}

/** Applies the rules again, under the locks that keep what they depend on from changing. */
function definitionOf(body: Call<'createUrlTemplate'>['body'], typeKey: string, schemes: Awaited<ReturnType<typeof schemesOf>>) {
  const checked = checkTemplate(inputOfBody(body), typeKey, schemes);
  if (!checked.ok) throw refuseFields(bodyErrors(checked.issues));
  return checked.value;
}

async function createTemplate({ body, caller, nowMs }: Call<'createUrlTemplate'>, database: Database): Promise<UrlTemplateRow> {
  const environmentId = caller.environment.id;
  return database.transaction(async (transaction) => {
    await lockObjectCounts(transaction, environmentId);
    const type = await holdResourceType(transaction, environmentId, body.resource_type_id);
    if (type === null) throw noSuch('resource type');
    const definition = definitionOf(body, type.key, await schemesOf(caller, transaction));
    if (type.status === 'archived') throw refuse('conflict', `The resource type "${type.key}" is archived and can no longer be used.`);
    if ((await sql.countTemplatesOfType(transaction, type.id)) >= URL_TEMPLATES_MAX)
      throw refuse('conflict', `A resource type has at most ${URL_TEMPLATES_MAX} URL templates that are not archived: archive one first.`);
    await refuseOverlap(transaction, environmentId, definition);
    const created = new Date(nowMs);
    const row: UrlTemplateRow = {
      id: idAt('urlTemplate', nowMs),
      resource_type_id: type.id,
      resource_type: type.key,
      path_pattern: definition.pattern.text,
      ...columnsOf(definition),
      status: 'active',
      created_at: created,
      updated_at: created,
    };
    await sql.insertTemplate(transaction, environmentId, row);
    return row;
  });
}

async function refuseOverlap(database: Queryable, environmentId: string, { pattern }: TemplateDefinition): Promise<void> {
  const other = findOverlap(pattern, await sql.listTakenPatterns(database, environmentId));
  if (other === null) return;
  throw refuseTaken('/path_pattern', `The pattern "${pattern.text}" overlaps "${other.path_pattern}" of the template ${other.id}.`);
}

async function changeErrors({ body, caller, params }: UncheckedCall, database: Queryable): Promise<readonly FieldError[]> {
  const id = params.template as string;
  const row = isId('urlTemplate', id) ? await sql.findTemplate(database, caller.environment.id, id) : null;
  // The handler reports that there is none.
  if (row === null) return [];
  const errors = bodyErrors(patchIssues(row, body, await schemesOf(caller, database)));
  return [...errors, ...(await blockedRedirects(body, errors, database))];
}

async function updateTemplate(call: Call<'updateUrlTemplate'>, database: Database, view: UrlTemplateView): Promise<UrlTemplateRow> {
  const { body, caller, nowMs } = call;
  return database.transaction(async (transaction) => {
    const before = await requireTemplate(call, transaction, sql.lockTemplate);
    call.requireMatch(urlTemplateOfRow(before, view));
    // Checked again, because another change may have happened in between, and the rules look at several fields together.
    const errors = bodyErrors(patchIssues(before, body, await schemesOf(caller, transaction)));
    if (errors.length > 0) throw refuseFields(errors);
    const after = patchedRow(before, body, nowMs);
    if (after === before) return before;
    if (before.status === 'archived') throw refuse('conflict', 'The template is archived and can no longer be changed.');
    await sql.updateTemplate(transaction, after);
    return after;
  });
}
