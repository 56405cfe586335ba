import t from 'tap';
import { LANGUAGES, preferredLanguage } from '../../../../engine/pages/texts/language.js';
import fc from '../../../support/properties.js';

t.test('the language is the one with the highest weight, or the first of those with equal weight', async (t) => {
  for (const [header, expected] of [
    ['', 'en'],
    ['de', 'de'],
    ['DE-de', 'de'],
    ['de-AT,de;q=0.9,en;q=0.8', 'de'],
    ['fr-CH, fr;q=0.9, en;q=0.8, de;q=0.7, *;q=0.5', 'fr'],
    ['en;q=0.8,it', 'it'],
    ['en;q=0.8 , ja;q=0.801', 'ja'],
    ['es;q=0.5,pt;q=0.5', 'es'],
    ['nl,pt-BR;q=0.4', 'pt'],
    ['nl', 'en'],
    ['zh-cmn-Hans-CN;q=0.3', 'zh'],
    ['*', 'en'],
    ['en;q=0,*', 'de'],
    ['en;q=0,*;q=0.1,fr;q=0.2', 'fr'],
    ['*;q=0.9,fr;q=0.2', 'en'],
    ['de;q=0', 'en'],
    ['de;q=0,de-AT', 'de'],
    ['de;q=1.000,fr;q=1', 'de'],
    ['de;q=0.000,fr;q=0.001', 'fr'],
    ['\tit\t;\tq=0.7 ,, en;q=0.1', 'it'],
    ['fr ; Q=0.7, de;q=0.6', 'fr'],
  ] as const)
    t.equal(preferredLanguage(header), expected, header);
});

t.test('Chinese is in traditional characters if the script says so, or else if the region does', async (t) => {
  for (const [header, expected] of [
    ['zh', 'zh'],
    ['zh-CN,zh;q=0.9,en;q=0.8', 'zh'],
    ['zh-SG', 'zh'],
    ['zh-TW,zh;q=0.9,en-US;q=0.8,en;q=0.7', 'zh-hant'],
    ['ZH-hk', 'zh-hant'],
    ['zh-MO', 'zh-hant'],
    ['zh-Hant', 'zh-hant'],
    ['zh-Hant-TW', 'zh-hant'],
    ['zh-Hant-CN', 'zh-hant'],
    ['zh-yue-HK', 'zh-hant'],
    ['zh-Hans-HK', 'zh'],
    ['zh-Hans-TW', 'zh'],
    ['en;q=0.5,zh-TW;q=0.6,zh;q=0.7', 'zh'],
    ['zh-TW;q=0,zh;q=0.1', 'zh'],
  ] as const)
    t.equal(preferredLanguage(header), expected, header);
});

t.test('a malformed range is skipped and affects no other', async (t) => {
  for (const header of [
    'fr;q=2,de;q=0.1',
    'fr;q=-1,de',
    'fr;q=0.1234,de;q=0.1',
    'fr;q=,de;q=0.1',
    'fr;level=1,de',
    'fr_FR,de',
    'franzoesisch,de',
    'fr;q=1;q=1,de',
    'fr-,de',
    '-fr,de',
    '**,de',
    'fr;q=1.5,de;q=0.9,en;q=0.2',
  ])
    t.equal(preferredLanguage(header), 'de', header);
});

t.test('every header gives a known language, and ranges beyond the limit are not read', async (t) => {
  fc.assert(fc.property(fc.string({ unit: 'binary', maxLength: 256 }), (header) => LANGUAGES.includes(preferredLanguage(header))));
  t.equal(preferredLanguage(`${'nl,'.repeat(40)}de`), 'en');
  t.equal(preferredLanguage(`${'nl,'.repeat(20)}de`), 'de');
});
