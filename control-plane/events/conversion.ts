import { idTimeMs, idToUuid, uuidToId } from '../../shared/base/ids.js';
import type { Queryable } from '../db/database.js';

/** What an event is counted for; null for what it has not. */
export interface Conversion {
  readonly click_id: string | null;
  readonly link_id: string | null;
  /** Key of the campaign that the link had at the click, or at the first open. */
  readonly campaign: string | null;
}

/** What the event names: `click_id` is known, or null. */
interface Named {
  readonly install_id: string | null;
  readonly click_id: string | null;
}

/** The click that the event names goes first; without one it belongs to what its installation came from. */
export async function conversionOf(database: Queryable, environmentId: string, { install_id, click_id }: Named): Promise<Conversion> {
  const clicked = click_id === null ? null : await findClicked(database, environmentId, click_id);
  if (clicked !== null) return clicked;
  const install = install_id === null ? null : await findInstalled(database, environmentId, install_id);
  if (install === null) return { click_id, link_id: null, campaign: null };
  return { ...install, click_id: click_id ?? install.click_id };
}

/** Null if the click is not in the log: not yet, or no longer. */
async function findClicked(database: Queryable, environmentId: string, clickId: string): Promise<Conversion | null> {
  const { rows } = await database.query<{ kind: string; subject_id: string; campaign: string | null }>({
    name: 'find_click',
    text: `SELECT click.kind, click.subject_id, click.campaign
           FROM environments, find_click($2, $3, environments.number) AS click WHERE environments.id = $1`,
    values: [environmentId, idToUuid('click', clickId), new Date(idTimeMs('click', clickId) as number).toISOString()],
  });
  const click = rows[0];
  if (click === undefined) return null;
  return { click_id: clickId, link_id: click.kind === 'link' ? uuidToId('link', click.subject_id) : null, campaign: click.campaign };
}

async function findInstalled(database: Queryable, environmentId: string, installId: string): Promise<Conversion | null> {
  const { rows } = await database.query<{ click_id: string | null; link_id: string | null; campaign: string | null }>({
    name: 'find_conversion_of_install',
    text: 'SELECT click_id, link_id, campaign FROM installs WHERE environment_id = $1 AND install_id = $2',
    values: [environmentId, installId],
  });
  const install = rows[0];
  if (install === undefined) return null;
  return { ...install, click_id: install.click_id === null ? null : uuidToId('click', install.click_id) };
}
