import { REFERRER_HOSTS, VISITOR_PLATFORMS, type VisitGroups } from './visit-plan.js';

/** Answered visits, by the groups under which they are counted. Each number is at the index of its group. */
export interface VisitCounts {
  readonly total: number;
  readonly by_link: readonly number[];
  readonly by_referrer: readonly number[];
  readonly by_platform: readonly number[];
  /** The one link whose own statistics are compared. */
  readonly watched: WatchedLink;
}

export interface WatchedLink {
  /** Its index among the links. */
  readonly link: number;
  readonly by_referrer: readonly number[];
  readonly by_platform: readonly number[];
}

export interface VisitCounter {
  count(visit: VisitGroups): void;
  counts(): VisitCounts;
}

export function createVisitCounter(links: number, watchedLink: number): VisitCounter {
  const zeros = (length: number): number[] => new Array(length).fill(0);
  const groups = () => ({ by_referrer: zeros(REFERRER_HOSTS.length), by_platform: zeros(VISITOR_PLATFORMS.length) });
  const all = { ...groups(), by_link: zeros(links) };
  const watched = groups();
  let total = 0;
  const add = (counts: number[], place: number): void => {
    counts[place] = (counts[place] as number) + 1;
  };
  return {
    count({ link, referrer, platform }) {
      total++;
      add(all.by_link, link);
      add(all.by_referrer, referrer);
      add(all.by_platform, platform);
      if (link !== watchedLink) return;
      add(watched.by_referrer, referrer);
      add(watched.by_platform, platform);
    },
    counts: () => ({ total, ...all, watched: { link: watchedLink, ...watched } }),
  };
}
