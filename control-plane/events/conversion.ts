import { uuidToId } from '../../shared/base/ids.js';
import type { ClickStore } from '../click-store/click-store.js';
import { awaitNamedClick, type ClickWait } from '../clicks/await-named-click.js';
import type { FoundClick } from '../clicks/find-click.js';
import type { Queryable } from '../db/database.js';

/** What an event is counted for; null for what it has not. */
export interface Conversion {
  readonly click_id: string | null;
  readonly link_id: string | null;
  /** Key of the campaign that the link had at the click, or at the first open. */
  readonly campaign: string | null;
}

/** Where what the event names is found, and how its click is waited for. */
export interface ConversionSource extends ClickWait {
  readonly database: Queryable;
  readonly clickStore: Pick<ClickStore, 'find'>;
  readonly nowMs: number;
}

/** What the event names: `click_id` is known, or null. */
interface Named {
  readonly install_id: string | null;
  readonly click_id: string | null;
}

/**
 * The click that the event names goes first. If it names none, or one that is not in the log, it belongs to what its installation
 * came from. Outside of any transaction: a click of a moment ago is waited for.
 */
export async function conversionOf(
  { database, clickStore, nowMs, ...waiting }: ConversionSource,
  environmentId: string,
  { install_id, click_id }: Named,
): Promise<Conversion> {
  const find = (clickId: string) => clickStore.find(database, { environmentId, clickId });
  const clicked = click_id === null ? null : await awaitNamedClick(click_id, nowMs, () => find(click_id), waiting);
  if (clicked !== null) return { click_id, ...ofClick(clicked) };
  const install = install_id === null ? null : await findInstalled(database, environmentId, install_id);
  return install ?? { click_id, link_id: null, campaign: null };
}

function ofClick({ kind, subject_id, campaign }: FoundClick): Pick<Conversion, 'link_id' | 'campaign'> {
  return { link_id: kind === 'link' ? uuidToId('link', subject_id) : null, campaign };
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
