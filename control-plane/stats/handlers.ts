import { isId } from '../../shared/base/ids.js';
import { STATS_RANGE_DEFAULT } from '../../shared/contract/schemas/stats.js';
import { findCampaign } from '../campaigns/sql.js';
import type { Operations } from '../http/operation.js';
import { refuse } from '../http/problems.js';
import { findLink } from '../links/sql.js';
import { campaignStats } from './campaign-stats.js';
import { environmentStats } from './environment-stats.js';
import { linkStats } from './link-stats.js';

type StatsOperations = Pick<Operations, 'getLinkStats' | 'getCampaignStats' | 'getStats'>;

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
    getCampaignStats: {
      async handle({ caller, params, query, nowMs }, database) {
        const { environment } = caller;
        const campaign = isId('campaign', params.campaign) ? await findCampaign(database, environment.id, params.campaign) : null;
        if (campaign === null) throw refuse('not_found', 'There is no such campaign in this environment.');
        const { id, key } = campaign;
        return {
          body: await campaignStats(database, { id, key, environment_id: environment.id }, query.range ?? STATS_RANGE_DEFAULT, nowMs),
        };
      },
    },
    getStats: {
      async handle({ caller, query, nowMs }, database) {
        const range = query.range ?? STATS_RANGE_DEFAULT;
        const interval = query.interval ?? (range === '1d' ? 'hour' : 'day');
        return { body: await environmentStats(database, caller.environment.id, { range, interval }, nowMs) };
      },
    },
  };
}
