import { isId } from '../../shared/base/ids.js';
import { STATS_RANGE_DEFAULT } from '../../shared/contract/schemas/link-stats.js';
import type { Operations } from '../http/operation.js';
import { refuse } from '../http/problems.js';
import { findLink } from '../links/sql.js';
import { linkStats } from './link-stats.js';

type StatsOperations = Pick<Operations, 'getLinkStats'>;

export function statsOperations(): StatsOperations {
  return {
    getLinkStats: {
      async handle({ caller, params, query, nowMs }, database) {
        const { environment } = caller;
        const link = isId('link', params.link) ? await findLink(database, environment.id, params.link) : null;
        if (link === null) throw refuse('not_found', 'There is no such link in this environment.');
        return {
          body: await linkStats(database, { id: link.id, environment_id: environment.id }, query.range ?? STATS_RANGE_DEFAULT, nowMs),
        };
      },
    },
  };
}
