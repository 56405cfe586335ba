import t from 'tap';
import { fieldsOfRules, type ShlinkRule } from '../../../../control-plane/imports/sources/shlink-rules.js';
import { chooseDestination } from '../../../../shared/resolve/destination.js';
import { subjectIn } from '../../../../shared/resolve/follow-link.js';
import fc from '../../../support/properties.js';
import { linksFrom } from '../source-service.js';

const device = (matchValue: string) => ({ type: 'device', matchKey: null, matchValue });
const country = (matchValue: string) => ({ type: 'geolocation-country-code', matchKey: null, matchValue });
const language = { type: 'language', matchKey: null, matchValue: 'fr' };
const rule = (path: string, ...conditions: ShlinkRule['conditions']): ShlinkRule => ({
  longUrl: `https://shop.example/${path}`,
  conditions,
});

t.test('rules with one device or country become destinations', async (t) => {
  t.same(fieldsOfRules([rule('i', device('ios')), rule('a', device('Android')), rule('c', country('de')), rule('d', device('desktop'))]), {
    destinations: { ios: 'https://shop.example/i', android: 'https://shop.example/a', desktop: 'https://shop.example/d' },
    geo: { DE: 'https://shop.example/c' },
    lost: [],
  });
  const [first, second] = [rule('first', device('ios')), rule('second', device('ios'))];
  t.same(
    fieldsOfRules([
      { ...second, priority: 2 },
      { ...first, priority: 1 },
    ]),
    {
      destinations: { ios: 'https://shop.example/first' },
      geo: {},
      lost: [],
    },
  );
});

t.test('rules that a link cannot have are lost with their conditions', async (t) => {
  for (const [lost, ...rules] of [
    ['redirect rule 1 (language=fr): https://shop.example/x', rule('x', language)],
    ['redirect rule 1 (device=ios, language=fr): https://shop.example/x', rule('x', device('ios'), language)],
    ['redirect rule 1 (device=mobile): https://shop.example/x', rule('x', device('mobile'))],
    [
      'redirect rule 1 (query-param=ref=mail): https://shop.example/x',
      rule('x', { type: 'query-param', matchKey: 'ref', matchValue: 'mail' }),
    ],
    ['redirect rule 1 (): https://shop.example/x', rule('x')],
    ['redirect rule 2 (device=ios): https://shop.example/x', rule('c', country('DE')), rule('x', device('ios'))],
    ['redirect rule 2 (geolocation-country-code=DE): https://shop.example/x', rule('d', device('desktop')), rule('x', country('DE'))],
  ] as const)
    t.same(fieldsOfRules(rules).lost, [lost]);
});

t.test('every visitor is led where the rules that are not lost lead', async () => {
  const condition = fc.oneof(fc.constantFrom('ios', 'android', 'desktop').map(device), fc.constantFrom('DE', 'FR').map(country));
  fc.assert(
    fc.property(fc.array(fc.array(condition, { maxLength: 2 }), { maxLength: 7 }), (conditions) => {
      const rules = conditions.map((each, index) => rule(String(index + 1), ...each));
      const { destinations, geo, lost } = fieldsOfRules(rules);
      const kept = rules.filter((_, index) => !lost.some((text) => text.startsWith(`redirect rule ${index + 1} `)));
      const none = { ios: null, android: null, desktop: null, web: 'https://shop.example/', fallback: null };
      return (['ios', 'android', 'desktop'] as const).every((platform) =>
        ['DE', 'FR', 'IT'].every((visitorIn) => {
          const meets = ({ type, matchValue }: ShlinkRule['conditions'][number]) =>
            matchValue === (type === 'device' ? platform : visitorIn);
          const wanted = kept.find((each) => each.conditions.length > 0 && each.conditions.every(meets))?.longUrl ?? none.web;
          const link = { destinations: { ...none, ...destinations }, deep_link_path: '' };
          const subject = subjectIn(visitorIn, link as Parameters<typeof subjectIn>[1], {
            geo: Object.keys(geo).length === 0 ? null : geo,
          });
          const choice = chooseDestination(platform, subject, { ...none, web: null });
          return choice?.url === wanted;
        }),
      );
    }),
  );
});

t.test('Shlink: rules are read for the links that have some, and lost by name if the key may not read them', async (t) => {
  const asked: string[] = [];
  const url = (shortCode: string, more: object) => ({ shortCode, longUrl: 'https://shop.example/', ...more });
  const links = await linksFrom(t, 'shlink', ({ pathname, search }) => {
    if (!pathname.endsWith('/redirect-rules'))
      return {
        shortUrls: {
          data: [
            url('a', { hasRedirectRules: false }),
            url('b/c', { hasRedirectRules: true, domain: 's.test' }),
            url('d', { hasRedirectRules: true, domain: null }),
          ],
          pagination: { pagesCount: 1 },
        },
      };
    asked.push(`${pathname}${search}`);
    if (pathname.includes('/d/')) return { status: 403, body: {} };
    return {
      defaultLongUrl: 'https://shop.example/',
      redirectRules: [
        { ...rule('l', language), priority: 1 },
        { ...rule('i', device('ios')), priority: 2 },
        { ...rule('c', country('DE')), priority: 3 },
      ],
    };
  });
  t.same(asked, ['/rest/v3/short-urls/b%2Fc/redirect-rules?domain=s.test', '/rest/v3/short-urls/d/redirect-rules']);
  t.match(links, [
    { id: '/a', lost: [] },
    {
      id: 's.test/b/c',
      fields: {
        destinations: { web: 'https://shop.example/', ios: 'https://shop.example/i' },
        geo: { DE: 'https://shop.example/c' },
      },
      lost: ['redirect rule 1 (language=fr): https://shop.example/l'],
    },
    { id: '/d', lost: ['hasRedirectRules'] },
  ]);
});
