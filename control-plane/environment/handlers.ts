import { laterThan } from '../../shared/base/instant.js';
import { isObject } from '../../shared/base/issue.js';
import type { Environment } from '../../shared/contract/schemas/environment.js';
import type { FieldError } from '../../shared/contract/schemas/problem-codes.js';
import { asciiHostName, isHostName } from '../../shared/net/host-name.js';
import type { EnvironmentRecord } from '../../shared/records/records.js';
import { shortPath } from '../../shared/resolve/link-addresses.js';
import type { LinkUrlForm } from '../../shared/resolve/link-origin.js';
import { appSchemes, type OwnSchemes } from '../../shared/resolve/stored-destination.js';
import { findBlockedErrors, type PlacedDestination, placedDestinations } from '../blocklist/check.js';
import { type Database, isUniqueViolation, type Queryable } from '../db/database.js';
import { isSameJson } from '../http/canonical-json.js';
import type { Call, Operations, UncheckedCall } from '../http/operation.js';
import { fieldError, refuseFields, refuseTaken } from '../http/problems.js';
import { placedBrandUrls } from './brand.js';
import { storedDefaultDestination } from './default-destination.js';
import { readEnvironmentRecord } from './environment-record.js';
import { type EnvironmentRow, environmentOfRow } from './environment-row.js';
import { lockHostNames } from './host-locks.js';
import { environmentFieldErrors, isBelowOwnHost, longLinkErrors, patchedSettings, storeUrlOf } from './rules.js';
import * as sql from './sql.js';

export interface EnvironmentDependencies {
  readonly form: LinkUrlForm;
}

type EnvironmentOperations = Pick<Operations, 'getEnvironment' | 'updateEnvironment'>;

export function environmentOperations({ form }: EnvironmentDependencies): EnvironmentOperations {
  return {
    getEnvironment: {
      async handle({ caller }, database) {
        return { body: environmentOfRow(await sql.readEnvironment(database, caller.environment.id), form) };
      },
    },
    updateEnvironment: {
      check: environmentErrors,
      async handle(call, database) {
        const body = await updateEnvironment(call, database, form);
        return { body, committed: { feed: 'followed', environment: call.caller.environment.id } };
      },
    },
  };
}

async function environmentErrors({ body, caller }: UncheckedCall, database: Queryable): Promise<readonly FieldError[]> {
  const stored = await readEnvironmentRecord(database, caller.environment.id);
  const errors = [
    ...environmentFieldErrors(body, schemesAfter(body, stored)),
    ...(await foreignOpenHostErrors(body.open_host, stored, database)),
    ...longLinkErrors(body, stored, await hasLink(database, caller.environment.id, body.long_link_path)),
  ];
  const wrong = new Set(errors.map((error) => error.pointer));
  const urls = [
    ...placedDestinations('/default_destinations', body.default_destinations, storedDefaultDestination),
    ...placedStoreUrls('/ios_apps', body.ios_apps, 'app_store_url'),
    ...placedStoreUrls('/android_apps', body.android_apps, 'play_store_url'),
    ...placedBrandUrls(body.brand),
  ].filter(({ pointer }) => !wrong.has(pointer));
  return [...errors, ...(await findBlockedErrors(database, urls))];
}

/** Finds an open host that `checkOpenHost` refuses, as far as the value is a host name. */
async function foreignOpenHostErrors(value: unknown, stored: EnvironmentRecord, database: Queryable): Promise<readonly FieldError[]> {
  const openHost = typeof value === 'string' ? asciiHostName(value) : '';
  if (!isHostName(openHost) || openHost === stored.open_host) return [];
  return (await isOwnOpenHost(database, stored, openHost)) ? [] : [openHostNotAllowed()];
}

/** Whether the environment has a link at the path; true if there is no path. */
async function hasLink(database: Queryable, environmentId: string, path: unknown): Promise<boolean> {
  if (typeof path !== 'string') return true;
  return shortPath(`/${path}`) === path && sql.hasLink(database, environmentId, path);
}

/** A change may name an app and a destination with its scheme at the same time. */
function schemesAfter(body: UncheckedCall['body'], stored: EnvironmentRecord): OwnSchemes {
  const { ios, android } = appSchemes(stored);
  return { ios: schemesOf(body.ios_apps) ?? ios, android: schemesOf(body.android_apps) ?? android };
}

function schemesOf(apps: unknown): readonly string[] | null {
  if (!Array.isArray(apps)) return null;
  return apps.flatMap((app: unknown) => (isObject(app) && typeof app.uri_scheme === 'string' ? [app.uri_scheme] : []));
}

function placedStoreUrls(pointer: string, apps: unknown, member: 'app_store_url' | 'play_store_url'): readonly PlacedDestination[] {
  if (!Array.isArray(apps)) return [];
  return apps.flatMap((app: unknown, index) => {
    const text = isObject(app) ? app[member] : undefined;
    const url = typeof text === 'string' ? storeUrlOf(text) : null;
    return url === null ? [] : [{ pointer: `${pointer}/${index}/${member}`, url }];
  });
}

async function updateEnvironment(call: Call<'updateEnvironment'>, database: Database, form: LinkUrlForm): Promise<Environment> {
  const environmentId = call.caller.environment.id;
  return database.transaction(async (transaction) => {
    if (call.body.open_host !== undefined) await lockHostNames(transaction, [asciiHostName(call.body.open_host)]);
    const before = await sql.lockSettings(transaction, environmentId);
    call.requireMatch(environmentOfRow(before, form));
    const settings = patchedSettings(before, call.body);
    const after: EnvironmentRow = { ...before, ...settings, updated_at: laterThan(before.updated_at, call.nowMs) };
    if (isUnchanged(before, after)) return environmentOfRow(before, form);
    if (settings.open_host !== before.open_host) await checkOpenHost(transaction, before, settings.open_host);
    try {
      await sql.updateEnvironment(transaction, environmentId, settings, after.updated_at);
    } catch (error) {
      // Another environment took the host after the check.
      throw isUniqueViolation(error) ? openHostTaken(settings.open_host) : error;
    }
    return environmentOfRow(after, form);
  });
}

/** Refuses a host whose ownership the customer has not proven: it could belong to the next customer. */
async function checkOpenHost(transaction: Queryable, { id, link_host }: EnvironmentRow, openHost: string): Promise<void> {
  if (!(await isOwnOpenHost(transaction, { id, link_host }, openHost))) throw refuseFields([openHostNotAllowed()]);
  if (await sql.isHostTaken(transaction, id, openHost)) throw openHostTaken(openHost);
}

type OwnHosts = Pick<EnvironmentRow, 'id' | 'link_host'>;

async function isOwnOpenHost(database: Queryable, { id, link_host }: OwnHosts, openHost: string): Promise<boolean> {
  return isBelowOwnHost(openHost, [link_host, ...(await sql.verifiedHostnames(database, id))]);
}

function openHostNotAllowed(): FieldError {
  const detail = 'must be a name below the link host, or below a verified domain of the environment';
  return fieldError('body', '/open_host', 'host_not_allowed', detail);
}

function openHostTaken(openHost: string) {
  return refuseTaken('/open_host', `The host ${openHost} is already in use: choose another one.`);
}

function isUnchanged(before: EnvironmentRow, after: EnvironmentRow): boolean {
  return isSameJson({ ...before, updated_at: null }, { ...after, updated_at: null });
}
