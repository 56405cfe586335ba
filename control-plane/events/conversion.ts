import { uuidToId } from '../../shared/base/ids.js';
import type { ClickStore } from '../click-store/click-store.js';
import { awaitNamedClick, type ClickWait } from '../clicks/await-named-click.js';
import type { FoundClick } from '../clicks/find-click.js';
import type { Queryable } from '../db/database.js';
import { findResourceType } from '../resource-types/sql.js';

/** What an event or an open of an app counts for. Members that do not apply are null. */
export interface ConvertedSubject {
  readonly link_id: string | null;
  /** Key of the campaign that the link had at the time of the click, or of the first open. */
  readonly campaign: string | null;
  /** Key of the resource type of an item. */
  readonly resource_type: string | null;
  readonly item_id: string | null;
}

export interface Conversion extends ConvertedSubject {
  readonly click_id: string | null;
}

const NOTHING: ConvertedSubject = { link_id: null, campaign: null, resource_type: null, item_id: null };

/** Where to find what an event names, and how to wait for its click. */
export interface ConversionSource extends ClickWait {
  readonly database: Queryable;
  readonly clickStore: Pick<ClickStore, 'find'>;
  readonly nowMs: number;
}

/** What an event names. `click_id` is known (`knownClickId`), or null. */
interface Named {
  readonly install_id: string | null;
  readonly click_id: string | null;
}

/**
 * Finds what an event counts for. The click that it names takes precedence. If it names none, or one that is not in the log, it counts for
 * what its installation came from. Call it outside any transaction, because it waits for a recent click.
 */
export async function conversionOf(
  { database, clickStore, nowMs, ...waiting }: ConversionSource,
  environmentId: string,
  { install_id, click_id }: Named,
): Promise<Conversion> {
  const find = (clickId: string) => clickStore.find(database, { environmentId, clickId });
  const clicked =
    click_id === null ? null : await awaitNamedClick({ environmentId, clickId: click_id, nowMs }, () => find(click_id), waiting);
  if (clicked !== null) return { click_id, ...(await ofClick(database, environmentId, clicked)) };
  const install = install_id === null ? null : await findInstalled(database, environmentId, install_id);
  return install ?? { click_id, ...NOTHING };
}

async function ofClick(database: Queryable, environmentId: string, click: FoundClick): Promise<ConvertedSubject> {
  const { kind, subject_id, campaign, resource_type_id, item_id } = click;
  if (kind === 'link') return { ...NOTHING, link_id: uuidToId('link', subject_id), campaign };
  const type =
    resource_type_id === null ? null : await findResourceType(database, environmentId, uuidToId('resourceType', resource_type_id));
  return type === null ? { ...NOTHING, campaign } : { ...NOTHING, campaign, resource_type: type.key, item_id };
}

async function findInstalled(database: Queryable, environmentId: string, installId: string): Promise<Conversion | null> {
  const { rows } = await database.query<Conversion>({
    name: 'find_conversion_of_install',
    text: `SELECT click_id, link_id, campaign, resource_type, item_id FROM installs WHERE environment_id = $1 AND install_id = $2`,
    values: [environmentId, installId],
  });
  const install = rows[0];
  if (install === undefined) return null;
  return { ...install, click_id: install.click_id === null ? null : uuidToId('click', install.click_id) };
}
