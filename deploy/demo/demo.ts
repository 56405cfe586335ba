import { createHash } from 'node:crypto';
import { CommandError, EXIT_NOT_FOUND, EXIT_USAGE } from '../../control-plane/cli/command-error.js';
import type { Demo, DemoOptions, DemoReport } from '../../control-plane/cli/demo-project.js';
import { type Database, DatabaseUnavailableError, type Queryable } from '../../control-plane/db/database.js';
import { eraseProject } from '../../control-plane/erasure/erase.js';
import { createKey, revokeKey } from '../../control-plane/keys/keys.js';
import type { OpenClickStore } from '../../control-plane/open-click-store.js';
import {
  createProject,
  findEnvironmentNumber,
  HostTakenError,
  listEnvironments,
  listProjects,
  projectFault,
} from '../../control-plane/projects/projects.js';
import { controlPlaneSettings } from '../../control-plane/settings.js';
import { startControlPlane } from '../../control-plane/start.js';
import type { Click } from '../../engine/spool/click.js';
import { newClick } from '../../engine/visit/click-record.js';
import { counted } from '../../shared/base/counted.js';
import { createLogger } from '../../shared/base/log.js';
import { withSecretsOfFiles } from '../../shared/base/secret-files.js';
import { readSettings } from '../../shared/base/settings.js';
import { LinkService } from '../../shared/sdk/server.js';
import { parseSecretKeys } from '../../shared/secrets/seal.js';
import { CAMPAIGNS, DEMO_TAG, LINKS } from './catalogue.js';
import { SHOE_TYPE } from './sample-api.js';
import { serveDemo } from './serve.js';
import { makeInstalls, makeShop, type Shop } from './shop.js';
import { storeClicks } from './store-clicks.js';
import { DAYS, makeVisits, totalsOf, type Visit } from './visits.js';

export interface DemoSurroundings {
  readonly database: () => Database;
  readonly clicks: () => Pick<OpenClickStore, 'clickStore' | 'clickHouse'>;
  readonly environment: NodeJS.ProcessEnv;
  readonly nowMs: () => number;
  readonly random: () => number;
}

const INSTALLS = 12;

/** `linkd demo`: a separate shop, filled over the REST API and through the spool of an engine. */
export function createDemo(given: DemoSurroundings): Demo {
  const surroundings = { ...given, environment: withSecretsOfFiles(controlPlaneSettings, given.environment) };
  return {
    fill: (options, onClicks) => fill(options, onClicks, surroundings),
    remove: (name) => remove(name, surroundings),
    serve: (options, until, serving) => serveDemo(options, until, serving, surroundings),
  };
}

async function fill(
  options: DemoOptions,
  onClicks: (done: number, total: number) => void,
  surroundings: DemoSurroundings,
): Promise<DemoReport> {
  const { environment, nowMs, random } = surroundings;
  const database = surroundings.database();
  const { clickHouse } = surroundings.clicks();
  const settings = readSettings(controlPlaneSettings, {
    ...environment,
    CONTROL_PLANE_PORT: '0',
    CONTROL_PLANE_ADMIN_PORT: '0',
    CONTROL_PLANE_HOST: '127.0.0.1',
    CONTROL_PLANE_ADMIN_HOST: '127.0.0.1',
    DATABASE_CONNECTIONS: '2',
    OUTBOUND_ALLOW: [environment.OUTBOUND_ALLOW, options.origin].filter(Boolean).join(','),
  });
  const secretKeys = parseSecretKeys(settings.secretsKeys);
  const made = await makeProject(database, options, nowMs());
  const controlPlane = await startControlPlane(settings, createLogger('linkd-demo', 'silent'), 'requests');
  try {
    const baseUrl = `http://127.0.0.1:${controlPlane.port}/v1`;
    const service = new LinkService({ baseUrl, secretKey: made.secret.key });
    const shop = await makeShop(service, options.origin, nowMs());
    const visits = makeVisits(
      options.clicks,
      LINKS.map(({ weight }) => weight),
      nowMs(),
      random,
    );
    const environmentNumber = await findEnvironmentNumber(database, made.environmentId);
    const clicks = visits.map((visit) => clickOf(visit, shop, { environmentNumber, host: options.liveHost }));
    const ids = await storeClicks(clicks, { databaseUrl: settings.databaseUrl, clickHouse, secretKeys, environmentNumber, onClicks });
    const clickIds = ids.filter((_, index) => isAndroid(visits[index] as Visit)).slice(-INSTALLS);
    const { installs, events } = await makeInstalls(service, { baseUrl, publishableKey: made.publishable.key, clickIds });
    return {
      project: made.projectId,
      live_environment: made.environmentId,
      link_host: options.liveHost,
      days: DAYS,
      links: shop.links.length,
      ...totalsOf(visits),
      installs,
      tracked_events: events,
      secret_key: made.secret.key,
    };
  } catch (error) {
    if (error instanceof DatabaseUnavailableError || !(error instanceof Error)) throw error;
    throw new CommandError(
      `the demo is not complete: ${error.message}; remove it with: linkd demo remove --project ${JSON.stringify(options.project)}`,
    );
  } finally {
    await revokeKey(database, made.publishable.id);
    await controlPlane.stop();
  }
}

/** One transaction creates the project and what marks it as the demo's, so that a demo that was interrupted is also recognised. */
async function makeProject(database: Database, { project: name, liveHost }: DemoOptions, nowMs: number) {
  const wanted = { name, timeZone: 'UTC', hosts: { live: { linkHost: liveHost }, test: { linkHost: `test.${liveHost}` } } };
  const fault = await projectFault(database, wanted);
  if (fault !== null) throw new CommandError(`${fault}; pass --project and --live-host`, EXIT_USAGE);
  if ((await listProjects(database)).some((project) => project.name === name))
    throw new CommandError(
      `there is already a project "${name}"; remove an older demo with: linkd demo remove --project ${JSON.stringify(name)}`,
    );
  try {
    return await database.transaction(async (transaction) => {
      const { id, environments } = await createProject(transaction, wanted, nowMs);
      const environmentId = environments.live.id;
      const key = { environmentId, environment: 'live' as const, name: markOf(id) };
      const secret = await createKey(transaction, { ...key, kind: 'secret' }, nowMs);
      const publishable = await createKey(transaction, { ...key, kind: 'publishable' }, nowMs);
      return { projectId: id, environmentId, secret, publishable };
    });
  } catch (error) {
    if (error instanceof HostTakenError) throw new CommandError(`${error.message}; pass another --live-host`);
    throw error;
  }
}

/** The name of the keys of a project that the demo has created. Nobody would give this name to any other key. */
function markOf(projectId: string): string {
  return `${DEMO_TAG} ${createHash('sha256').update(`${DEMO_TAG} ${projectId}`).digest('hex').slice(0, 16)}`;
}

function isAndroid({ bot, user_agent, link }: Visit): boolean {
  return !bot && link !== null && user_agent.includes('Android');
}

/** The click that an engine would write to its spool for the visit. */
function clickOf(visit: Visit, { links, template }: Shop, at: { readonly environmentNumber: number; readonly host: string }): Click {
  const link = visit.link === null ? null : (links[visit.link] as Shop['links'][number]);
  const campaign = CAMPAIGNS.find(({ key }) => key === link?.campaign);
  return {
    ...newClick(),
    occurred_at_ms: visit.at_ms,
    environment_number: at.environmentNumber,
    kind: link === null ? 1 : 0,
    subject_id: link?.id ?? template.id,
    resource_type_id: link === null ? template.resourceTypeId : '',
    item_id: visit.item,
    host: at.host,
    path: link?.path ?? `demo/shoes/${visit.item}`,
    user_agent: visit.user_agent,
    bot_reason: visit.bot ? 'isbot' : '',
    referrer: visit.referrer,
    campaign: campaign?.key ?? '',
    utm:
      campaign === undefined
        ? ''
        : `utm_source=${campaign.utmSource}&utm_medium=${campaign.utmMedium}&utm_campaign=${campaign.utmCampaign}`,
    destination: link?.destinations.web ?? `https://example.com/shoes/${visit.item}`,
    country: visit.country,
    address_text: visit.address,
  };
}

async function remove(name: string, surroundings: DemoSurroundings): Promise<Readonly<Record<string, unknown>>> {
  const database = surroundings.database();
  const projects = (await listProjects(database)).filter((project) => project.name === name);
  const [project] = projects;
  if (project === undefined) throw new CommandError(`there is no project "${name}"`, EXIT_NOT_FOUND);
  const environments = await listEnvironments(database, project.id);
  if (projects.length > 1 || !(await isMarked(database, project.id)))
    throw new CommandError(`the project "${name}" was not created by linkd demo; delete it with: linkd project delete ${project.id}`);
  const foreign = await foreignObjects(database, project.id);
  if (foreign !== '')
    throw new CommandError(
      `the project "${name}" contains ${foreign} that linkd demo did not create; delete them, or everything with: linkd project delete ${project.id}`,
    );
  const numbered = await Promise.all(environments.map(async (row) => ({ ...row, number: await findEnvironmentNumber(database, row.id) })));
  // The visitors are invented, so there is nobody to wait for.
  const erased = await eraseProject(
    { database, clickStore: surroundings.clicks().clickStore, settle: async () => {} },
    project.id,
    numbered,
  );
  return { project: project.id, name, erased: Object.fromEntries(Object.entries(erased).filter(([, rows]) => rows > 0)) };
}

/**
 * If a removal was interrupted, the mark may be gone with the keys. `linkd project delete`, which the error message names, completes the
 * removal.
 */
async function isMarked(database: Queryable, projectId: string): Promise<boolean> {
  const { rows } = await database.query<{ marked: boolean }>({
    text: `SELECT EXISTS (SELECT FROM api_keys AS key JOIN environments AS environment ON environment.id = key.environment_id
                          WHERE environment.project_id = $1 AND key.name = $2) AS marked`,
    values: [projectId, markOf(projectId)],
  });
  return rows[0]?.marked === true;
}

/** Describes what others have created in the project; '' if there is nothing. */
async function foreignObjects(database: Queryable, projectId: string): Promise<string> {
  const { rows } = await database.query<{ what: string; objects: number }>({
    text: `WITH environment AS (SELECT id FROM environments WHERE project_id = $1)
           SELECT what, count(*)::integer AS objects FROM (
             SELECT 'link' AS what FROM links
               WHERE environment_id IN (SELECT id FROM environment) AND state <> 'deleted' AND NOT EXISTS (
                 SELECT FROM tags AS tag
                 WHERE tag.environment_id = links.environment_id AND tag.name = $2 AND tag.number = ANY (links.tag_numbers))
             UNION ALL SELECT 'campaign' FROM campaigns WHERE environment_id IN (SELECT id FROM environment) AND NOT key = ANY ($3)
             UNION ALL SELECT 'resource type' FROM resource_types WHERE environment_id IN (SELECT id FROM environment) AND key <> $4
             UNION ALL SELECT 'webhook endpoint' FROM webhook_endpoints
               WHERE environment_id IN (SELECT id FROM environment) AND description IS DISTINCT FROM $2
             UNION ALL SELECT 'domain' FROM domains WHERE environment_id IN (SELECT id FROM environment)
             UNION ALL SELECT 'key' FROM api_keys
               WHERE environment_id IN (SELECT id FROM environment) AND revoked_at IS NULL AND name <> $5
           ) AS found GROUP BY what ORDER BY what`,
    values: [projectId, DEMO_TAG, CAMPAIGNS.map(({ key }) => key), SHOE_TYPE.key, markOf(projectId)],
  });
  return rows.map(({ what, objects }) => counted(objects, what)).join(', ');
}
