import type { Database, Queryable } from '../db/database.js';
import type { Call } from '../http/operation.js';
import { type ConversionSource, conversionOf } from './conversion.js';
import { eventOriginOf } from './emit.js';
import { knownClickId } from './known-click.js';
import { insertTrackedEvent, newTrackedEvent, type TrackedEventSource } from './tracked-event.js';

export type TrackedEventDependencies = Pick<ConversionSource, 'clickStore' | 'clickIds' | 'wait'>;

/** Plans the effect of an event that a server or an app reports. First looks up what it counts for, possibly in another store. */
export async function planTrackedEvent(
  call: Call<'trackEvent'> | Call<'trackSdkEvent'>,
  database: Queryable,
  source: TrackedEventSource,
  { clickIds, wait, clickStore }: TrackedEventDependencies,
) {
  const { id } = call.caller.environment;
  const click_id = await knownClickId(database, id, clickIds, call.body.click_id);
  const found = { database, clickStore, nowMs: call.nowMs, clickIds, wait };
  const conversion = await conversionOf(found, id, { install_id: call.body.install_id ?? null, click_id });
  return async (connection: Database) => {
    const { tracked, event } = newTrackedEvent(call.body, conversion, source, eventOriginOf(call));
    await insertTrackedEvent(connection, id, tracked, event);
    return { body: tracked, committed: { deliveries: true } as const };
  };
}
