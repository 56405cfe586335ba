import { useRef } from 'react';
import type { ClickDimension, ClicksAnswer, ClicksQuery } from '../../../../shared/contract/schemas/clicks-query.js';
import type { ApiError } from '../../api/client.js';
import { useRead } from '../../session/queries.js';
import { type Asked, trendQueryOf } from './asked.js';

export interface Standing {
  /** Undefined as long as nothing was answered, and once the API has refused. */
  readonly shown: ClicksAnswer | undefined;
  /** What it is broken down by, which may be what was asked for before; undefined where it is not. */
  readonly by: ClickDimension | undefined;
  /** Whether it answers what was asked before. */
  readonly isOld: boolean;
  readonly error: ApiError | null;
  readonly retry: () => void;
}

/** What was answered last stands until the next answer is there: nothing jumps while a reader goes from tab to tab. */
export function useStanding(query: ClicksQuery, enabled = true): Standing {
  const { data, error, isPending, refetch } = useRead('GET /stats/clicks', { query }, { enabled });
  const last = useRef<{ readonly answer: ClicksAnswer; readonly by: ClickDimension | undefined }>();
  if (data !== undefined) last.current = { answer: data, by: query.breakdown };
  const standing = error === null || data !== undefined ? last.current : undefined;
  return { shown: standing?.answer, by: standing?.by, isOld: isPending, error, retry: () => void refetch() };
}

/** Clicks over time; without the days before, if those have more clicks than can be counted for a comparison. */
export function useTrend(asked: Asked): Standing {
  const compared = useStanding(trendQueryOf(asked));
  const isRefused = asked.compare && compared.error?.status === 422;
  const alone = useStanding(trendQueryOf({ ...asked, compare: false }), isRefused);
  return isRefused ? alone : compared;
}
