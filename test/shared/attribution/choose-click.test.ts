import t from 'tap';
import { type CandidateClick, chooseClick, type DeviceFacts } from '../../../shared/attribution/choose-click.js';
import { CANDIDATE_CLICKS_MAX } from '../../../shared/base/limits.js';
import fc from '../../support/properties.js';

const facts = (language: string | null = null, model: string | null = null, screen: string | null = null): CandidateClick => ({
  language,
  model,
  screen,
  occurred_at: new Date(0),
  visit: null,
});

t.test('without clicks there is no match, and a single click matches whatever its device facts', async (t) => {
  t.same(chooseClick([], facts()), { kind: 'none' });
  const click = facts('de', 'iPhone15,2', '1x1');
  t.same(chooseClick([click], facts('fr', 'iPhone1,1', '10x10')), { kind: 'one', click, matchedFactors: ['address', 'os_version'] });
});

t.test('languages, models and screens are compared as devices and browsers write them', async (t) => {
  const same: readonly (readonly [keyof DeviceFacts, string, string, boolean])[] = [
    ['language', 'de-DE', 'de_DE', true],
    ['language', 'DE', 'de-AT', true],
    ['language', 'zh-Hans-CN', 'zh-CN', true],
    ['language', 'es-419', 'es-MX', true],
    ['language', 'es-419', 'pt-BR', false],
    ['language', 'in_ID', 'id-ID', true],
    ['language', 'iw', 'he-IL', true],
    ['language', 'ji', 'yi', true],
    ['language', 'tl_PH', 'fil-PH', true],
    ['language', 'no', 'nb-NO', true],
    ['language', 'in', 'en', false],
    ['language', 'en-US', 'en-GB', false],
    ['language', 'de', 'en', false],
    ['model', 'iPhone15,2', ' iphone15,2 ', true],
    ['model', 'SM-A536B', 'SM-A536E', false],
    ['screen', '1170x2532', '2532 X 1170', true],
    ['screen', '1170×2532', '1170x2532', true],
    ['screen', '1170x2532', '1179x2556', false],
  ];
  for (const [fact, one, other, agree] of same) {
    const [click, rival] = [{ ...facts(), [fact]: one }, { ...facts('xx', 'rival', '99x99') }];
    const choice = chooseClick([click, rival], { ...facts(), [fact]: other });
    const expected = agree ? { kind: 'one', click, matchedFactors: ['address', 'os_version', fact] } : { kind: 'ambiguous' };
    t.same(choice, expected, `${one} ${other}`);
  }
});

t.test('an unreadable fact is ignored', async (t) => {
  for (const nonsense of [facts('*'), facts('1'), facts(null, null, 'large'), facts('')])
    t.same(chooseClick([facts('de', null, '10x20'), nonsense], facts('de', null, '10x20')), { kind: 'ambiguous' });
});

t.test('a click is chosen only if it is the only one that fits, and never from more candidates than the limit', async (t) => {
  const fact = fc.constantFrom(null, 'de', 'en');
  const click = fc.record({
    language: fact,
    model: fc.constantFrom(null, 'a', 'b'),
    screen: fc.constantFrom(null, '10x20', '30x40'),
    occurred_at: fc.constant(new Date(0)),
    visit: fc.constant(null),
  });
  fc.assert(
    fc.property(fc.array(click, { minLength: 2, maxLength: CANDIDATE_CLICKS_MAX + 2 }), click, (clicks, device) => {
      const against = (one: DeviceFacts) =>
        (['language', 'model', 'screen'] as const).some(
          (name) => one[name] !== null && device[name] !== null && one[name] !== device[name],
        );
      const left = clicks.filter((one) => !against(one));
      const choice = chooseClick(clicks, device);
      if (clicks.length > CANDIDATE_CLICKS_MAX || left.length !== 1) return choice.kind === 'ambiguous';
      return choice.kind === 'one' && choice.click === left[0];
    }),
  );
  t.pass();
});

t.test('several clicks of one visitor on one link are one candidate, the newest', async (t) => {
  const at = (ms: number, visit: string | null, language: string | null = null) => ({
    ...facts(language),
    occurred_at: new Date(ms),
    visit,
  });
  const again = [at(2, 'a'), at(3, 'a'), at(1, 'a')];
  t.match(chooseClick(again, facts()), { kind: 'one', click: { occurred_at: new Date(3) } });
  t.match(chooseClick([at(1, 'a'), at(1, 'a')], facts()), { kind: 'one' }, 'also at the same millisecond');
  t.same(chooseClick([...again, at(4, 'b')], facts()), { kind: 'ambiguous' }, 'a click of another visitor or on another link');
  t.same(chooseClick([at(1, null), at(2, null)], facts()), { kind: 'ambiguous' }, 'the visitors of these clicks are unknown');
  const told = chooseClick([at(1, 'a', 'de'), at(2, 'a', 'de'), at(3, 'b', 'en')], facts('de'));
  t.match(told, { kind: 'one', click: { occurred_at: new Date(2) } }, 'device facts decide between the remaining candidates');
});

t.test('a model that is missing in some clicks of a visit does not separate them, and two different models do', async (t) => {
  const at = (ms: number, model: string | null) => ({ ...facts(null, model), occurred_at: new Date(ms), visit: 'a' });
  t.match(chooseClick([at(1, 'Pixel 8'), at(2, null)], facts()), { kind: 'one', click: { occurred_at: new Date(2) } });
  t.match(chooseClick([at(2, 'Pixel 8'), at(1, null)], facts()), { kind: 'one', click: { model: 'Pixel 8' } });
  const household = [at(1, 'Pixel 8'), at(3, 'Pixel 8'), at(2, 'Pixel 9')];
  t.same(chooseClick(household, facts()), { kind: 'ambiguous' });
  t.match(chooseClick(household, facts(null, 'pixel 8')), { kind: 'one', click: { occurred_at: new Date(3) } });
  t.same(
    chooseClick([...household, at(4, null)], facts(null, 'Pixel 8')),
    { kind: 'ambiguous' },
    'the fourth click may be of either device',
  );
});
