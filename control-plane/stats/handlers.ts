import { isId } from '../../shared/base/ids.js';
import type { FieldError } from '../../shared/contract/schemas/problem-codes.js';
import { STATS_RANGE_DEFAULT } from '../../shared/contract/schemas/stats.js';
import { requireCampaign } from '../campaigns/require-campaign.js';
import type { ClickStore } from '../click-store/click-store.js';
import type { Database } from '../db/database.js';
import type { Call, Operations, UncheckedCall } from '../http/operation.js';
import { fieldError } from '../http/problems.js';
import { requireLink } from '../links/require-link.js';
import type { Retention } from '../settings.js';
import { campaignStats } from './campaign-stats.js';
import { CONVERSIONS_DAYS_DEFAULT, queryConversions, shortestKept } from './conversions.js';
import { environmentStats } from './environment-stats.js';
import { linkStats } from './link-stats.js';
import type { LongCalls } from './long-calls.js';
import { CLICKS_DAYS_DEFAULT, queryClicks } from './query-clicks.js';
import { type DaysRules, dayErrors, withNamedDays } from './query-days.js';
import type { StatsSource } from './source.js';

type StatsOperations = Pick<Operations, 'getLinkStats' | 'getCampaignStats' | 'getStats' | 'getClicks' | 'getConversions'>;

type AnsweredCall = Pick<Call<'getStats'>, 'caller' | 'gone'>;

interface StatsDependencies {
  readonly clickStore: ClickStore;
  readonly longCalls: LongCalls;
  readonly retention: Retention;
}

export function statsOperations(dependencies: StatsDependencies): StatsOperations {
  const { clickStore, longCalls, retention } = dependencies;
  const answer = async <Result>(
    { caller: { environment }, gone }: AnsweredCall,
    database: Database,
    work: (source: StatsSource) => Promise<Result>,
  ) => ({ body: await longCalls.answer({ database, clickStore }, { environmentId: environment.id, gone: gone?.() ?? null }, work) });
  return {
    getLinkStats: {
      async handle(call, database) {
        const { caller, query, nowMs } = call;
        const { id } = await requireLink(call, database);
        const asked = { id, environment_id: caller.environment.id };
        return answer(call, database, (source) => linkStats(source, asked, query.range ?? STATS_RANGE_DEFAULT, nowMs));
      },
    },
    getCampaignStats: {
      async handle(call, database) {
        const { caller, query, nowMs } = call;
        const { id, key } = await requireCampaign(call, database);
        const asked = { id, key, environment_id: caller.environment.id };
        return answer(call, database, (source) => campaignStats(source, asked, query.range ?? STATS_RANGE_DEFAULT, nowMs));
      },
    },
    getStats: {
      async handle(call, database) {
        const { caller, query, nowMs } = call;
        const range = query.range ?? STATS_RANGE_DEFAULT;
        const interval = query.interval ?? (range === '1d' ? 'hour' : 'day');
        return answer(call, database, (source) => environmentStats(source, caller.environment.id, { range, interval }, nowMs));
      },
    },
    getClicks: {
      check: (call) => queryErrors(call, { days: CLICKS_DAYS_DEFAULT, retentionDays: retention.clicks }),
      async handle(call, database) {
        const { query, nowMs } = call;
        const { id, timeZone } = call.caller.environment;
        const asked = { environmentId: id, query: withNamedDays(query, timeZone, nowMs), retentionDays: retention.clicks, nowMs };
        return answer(call, database, (source) => queryClicks(source, asked));
      },
    },
    getConversions: {
      check: (call) => queryErrors(call, { days: CONVERSIONS_DAYS_DEFAULT, ...shortestKept(retention) }),
      async handle(call, database) {
        const { caller, query, nowMs } = call;
        const asked = { environmentId: caller.environment.id, query, keptDays: retention, nowMs };
        return answer(call, database, (source) => queryConversions(source, asked));
      },
    },
  };
}

/** Checks rules that the schema cannot express. */
function queryErrors(call: UncheckedCall, rules: DaysRules): readonly FieldError[] {
  const { query } = call;
  const errors = [...dayErrors(call, rules)];
  if (typeof query.link === 'string' && query.link !== '' && !isId('link', query.link))
    errors.push(fieldError('query', '/link', 'invalid_format', 'must be the id of a link, such as lnk_01jd4v6xq8e5s0m3k7n9p2r4tw'));
  return errors;
}
