import type { FieldError } from '../../shared/contract/problems.js';
import type { Environment } from '../../shared/contract/schemas/environment.js';
import { DEEP_LINK_PATH_PLACEHOLDER } from '../../shared/resolve/destination.js';
import { blockedDestinations, blockedErrors, placedDestinations } from '../blocklist/check.js';
import { type Database, isUniqueViolation, type Queryable } from '../db/database.js';
import type { Call, Operations } from '../http/operation.js';
import { fieldError, refuse, refuseFields } from '../http/problems.js';
import { type EnvironmentRow, environmentOfRow } from './environment-row.js';
import { environmentFieldErrors, isBelowOwnHost, patchedSettings } from './rules.js';
import * as sql from './sql.js';

export interface EnvironmentDependencies {
  /** Says that feed rows were committed. */
  readonly feedChanged: () => void;
}

type EnvironmentOperations = Pick<Operations, 'getEnvironment' | 'updateEnvironment'>;

export function environmentOperations({ feedChanged }: EnvironmentDependencies): EnvironmentOperations {
  return {
    getEnvironment: {
      async handle({ caller }, database) {
        return { body: environmentOfRow(await sql.readEnvironment(database, caller.environment.id)) };
      },
    },
    updateEnvironment: {
      check: ({ body }, database) => environmentErrors(body, database),
      async handle(call, database) {
        return { body: await updateEnvironment(call, database), afterCommit: feedChanged };
      },
    },
  };
}

/** Of a default with a placeholder the host is compared: what stands for a path is no page that could be listed. */
async function environmentErrors(body: Readonly<Record<string, unknown>>, database: Queryable): Promise<readonly FieldError[]> {
  const errors = environmentFieldErrors(body);
  const wrong = new Set(errors.map((error) => error.pointer));
  const destinations = placedDestinations('/default_destinations', body.default_destinations)
    .filter(({ pointer }) => !wrong.has(pointer))
    .map(({ pointer, url }) => ({ pointer, url: url.replaceAll(DEEP_LINK_PATH_PLACEHOLDER, '/') }));
  return [...errors, ...blockedErrors(destinations, await blockedDestinations(database, destinations))];
}

async function updateEnvironment(call: Call<'updateEnvironment'>, database: Database): Promise<Environment> {
  const environmentId = call.caller.environment.id;
  return database.transaction(async (transaction) => {
    const before = await sql.lockEnvironment(transaction, environmentId);
    const settings = patchedSettings(before, call.body);
    const after: EnvironmentRow = { ...before, ...settings, updated_at: new Date(Math.max(before.updated_at.getTime(), call.nowMs)) };
    if (isUnchanged(before, after)) return environmentOfRow(before);
    if (settings.open_host !== before.open_host) await checkOpenHost(transaction, before, settings.open_host);
    try {
      await sql.updateEnvironment(transaction, environmentId, settings, after.updated_at);
    } catch (error) {
      // Another environment took the host after the check.
      throw isUniqueViolation(error) ? openHostTaken(settings.open_host) : error;
    }
    return environmentOfRow(after);
  });
}

/** A host the customer has not shown to own could be the next customer's. */
async function checkOpenHost(transaction: Queryable, { id, link_host }: EnvironmentRow, openHost: string): Promise<void> {
  if (!isBelowOwnHost(openHost, [link_host, ...(await sql.verifiedHostnames(transaction, id))])) {
    const detail = 'must be a name below the link host, or below a verified domain of the environment';
    throw refuseFields([fieldError('body', '/open_host', 'host_not_allowed', detail)]);
  }
  if (await sql.isHostTaken(transaction, id, openHost)) throw openHostTaken(openHost);
}

function openHostTaken(openHost: string) {
  return refuse('conflict', `The host ${openHost} is in use.`);
}

function isUnchanged(before: EnvironmentRow, after: EnvironmentRow): boolean {
  const shown = (row: EnvironmentRow) => JSON.stringify({ ...environmentOfRow(row), updated_at: null });
  return shown(before) === shown(after);
}
