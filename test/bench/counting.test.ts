import t from 'tap';
import { type ComparedAnswers, figureDifferences } from '../../bench/counting/figure-differences.js';
import { createVisitCounter } from '../../bench/counting/visit-counts.js';
import { createRequestText, createVisitDraw, type DrawnVisit, REFERRER_HOSTS } from '../../bench/counting/visit-plan.js';

const LINKS = Array.from({ length: 12 }, (_, n) => `lnk_${n}`);
const thrice = (count: number) => ({ all: count, human: count, unique: count });

/** Two visits to the first link, and one to each of the others. */
function visited() {
  const counter = createVisitCounter(LINKS.length, 0);
  for (const link of [0, ...LINKS.keys()]) counter.count({ link, referrer: 7, platform: link % 2 });
  return counter.counts();
}

/** The answers to those visits. Any of the links with one visit may be shown last. */
function answers(lastLink: string): ComparedAnswers {
  const platforms = [
    { platform: 'ios' as const, ...thrice(7) },
    { platform: 'android' as const, ...thrice(6) },
  ];
  const referrers = [{ referrer_host: REFERRER_HOSTS[7] as string, ...thrice(13) }];
  const top_links = [...LINKS.slice(0, 9), lastLink].map((link, place) => ({ link, path: 'p', ...thrice(place === 0 ? 2 : 1) }));
  return {
    environment: {
      totals: thrice(13),
      series: [
        { start: '2026-11-20T00:00:00.000Z', date: '2026-11-20', ...thrice(3) },
        { start: '2026-11-21T00:00:00.000Z', date: '2026-11-21', ...thrice(10) },
      ],
      platforms,
      referrers,
      top_links,
    },
    link: {
      totals: thrice(2),
      platforms: [{ platform: 'ios', ...thrice(2) }],
      referrers: [{ referrer_host: REFERRER_HOSTS[7] as string, ...thrice(2) }],
    },
  };
}

t.test('correct answers show no difference from the visits, whichever of several equal links they list', async (t) => {
  t.same(figureDifferences(visited(), LINKS, answers('lnk_9')), []);
  t.same(figureDifferences(visited(), LINKS, answers('lnk_11')), []);
});

t.test('each count that differs is reported with both values', async (t) => {
  const { environment, link } = answers('lnk_9');
  const wrong = {
    environment: {
      ...environment,
      totals: { ...environment.totals, unique: 12 },
      platforms: environment.platforms.slice(0, 1),
      top_links: [{ ...environment.top_links[0], link: 'lnk_unknown', path: null, ...thrice(2) }, ...environment.top_links.slice(1)],
    },
    link: { ...link, totals: thrice(1) },
  };
  t.same(figureDifferences(visited(), LINKS, wrong), [
    { figure: 'totals', visits: thrice(13), statistics: { all: 13, human: 13, unique: 12 } },
    { figure: 'places of platforms', visits: [7, 6], statistics: [7] },
    { figure: 'top_links: lnk_unknown', visits: thrice(0), statistics: thrice(2) },
    { figure: 'totals of one link', visits: thrice(2), statistics: thrice(1) },
  ]);
});

t.test('every visit comes from another public address', async (t) => {
  const draw = createVisitDraw(LINKS.length);
  const visits = Array.from({ length: 50_000 }, draw);
  t.equal(new Set(visits.map(({ address }) => address)).size, visits.length);
  t.notOk(visits.some(({ address }) => /^(0|10|127|192|22[4-9]|2[345]\d)\./.test(address)));
  t.same(
    [...new Set(visits.map(({ link }) => link))].toSorted((a, b) => a - b),
    [...LINKS.keys()],
  );
  const visit = visits[0] as DrawnVisit;
  const text = createRequestText('go.example.com', LINKS)(visit);
  t.match(text, new RegExp(`^GET /${LINKS[visit.link]} HTTP/1\\.1\\r\\nHost: go\\.example\\.com\\r\\n`));
  t.match(text, `\r\nX-Forwarded-For: ${visit.address}\r\nReferer: https://${REFERRER_HOSTS[visit.referrer]}/\r\n\r\n`);
});
