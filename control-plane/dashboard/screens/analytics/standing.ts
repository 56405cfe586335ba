import { useRef } from 'react';
import type { ClickDimension, ClicksAnswer, ClicksQuery } from '../../../../shared/contract/schemas/clicks-query.js';
import type { ApiError } from '../../api/client.js';
import { useRead } from '../../session/queries.js';
import { type Asked, trendQueryOf } from './asked.js';

export interface Standing {
  /** Undefined until the first response, and after the API has refused. */
  readonly shown: ClicksAnswer | undefined;
  /** The dimension of the response, which may be the previous one; undefined if there is no breakdown. */
  readonly by: ClickDimension | undefined;
  /** Whether the response answers the previous query. */
  readonly isOld: boolean;
  readonly error: ApiError | null;
  readonly retry: () => void;
}

/** Keeps the last response until the next one arrives, so that nothing jumps when the user switches tabs. */
export function useStanding(query: ClicksQuery, enabled = true): Standing {
  const { data, error, isPending, refetch } = useRead('GET /stats/clicks', { query }, { enabled });
  const last = useRef<{ readonly answer: ClicksAnswer; readonly by: ClickDimension | undefined }>();
  if (data !== undefined) last.current = { answer: data, by: query.breakdown };
  const standing = error === null || data !== undefined ? last.current : undefined;
  return { shown: standing?.answer, by: standing?.by, isOld: isPending, error, retry: () => void refetch() };
}

/** Clicks over time. The days before are left out if they have more clicks than can be counted for a comparison. */
export function useTrend(asked: Asked): Standing {
  const compared = useStanding(trendQueryOf(asked));
  const isRefused = asked.compare && compared.error?.status === 422;
  const alone = useStanding(trendQueryOf({ ...asked, compare: false }), isRefused);
  return isRefused ? alone : compared;
}
