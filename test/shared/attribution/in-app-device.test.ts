import t from 'tap';
import { factsOfUserAgent } from '../../../shared/attribution/in-app-device.js';

const SAFARI = 'Mozilla/5.0 (iPhone; CPU iPhone OS 17_5_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko)';

t.test('the user agent of an in-app browser gives model, language and screen, and that of other browsers hardly any of them', async (t) => {
  for (const [userAgent, language, model, screen] of [
    [`${SAFARI} Version/17.5 Mobile/15E148 Safari/604.1`, null, null, null],
    [
      `${SAFARI} Mobile/15E148 [FBAN/FBIOS;FBAV/466.0.0.41.108;FBBV/1;FBDV/iPhone14,5;FBMD/iPhone;FBSN/iOS;FBSV/17.5.1;FBSS/3;FBID/phone;FBLC/de_DE;FBOP/5]`,
      'de_DE',
      'iPhone14,5',
      null,
    ],
    [
      `${SAFARI} Mobile/15E148 Instagram 331.0.0.37.90 (iPhone15,2; iOS 17_5_1; en_GB; en-GB; scale=3.00; 1179x2556; 601330155)`,
      'en-GB',
      'iPhone15,2',
      '1179x2556',
    ],
    [
      `${SAFARI} Mobile/15E148 Instagram 331.0.0.37.90 (iPhone8,1; iOS 17_5_1; en_SA@calendar=gregorian; ar-SA; scale=2.00; gamut=normal; 750x1334; 601330155)`,
      'ar-SA',
      'iPhone8,1',
      '750x1334',
    ],
    [
      `${SAFARI} Mobile/15E148 Instagram 331.0.0.37.90 (iPhone15,2; iOS 17_5_1; es_419; es-419; scale=3.00; 1179x2556; 601330155)`,
      'es-419',
      'iPhone15,2',
      '1179x2556',
    ],
    [
      `${SAFARI} Mobile/15E148 Instagram 331.0.0.37.90 (iPhone9,4; iOS 17_5_1; de_DE; de-DE; scale=2.61; 1080x1920; 601330155)`,
      'de-DE',
      'iPhone9,4',
      null,
    ],
    [`${SAFARI} Mobile/15E148 [FBAN/FBIOS;FBDV/iPhone15,2;FBLC/es_LA;FBOP/5]`, 'es_419', 'iPhone15,2', null],
    [
      'Mozilla/5.0 (Linux; Android 13; SM-A536B Build/TP1A.220624.014; wv) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/125.0.6422.113 Mobile Safari/537.36 Instagram 331.0.0.37.90 Android (33/13; 450dpi; 1080x2177; samsung; SM-A536B; a53x; s5e8825; de_DE; 601330155)',
      'de_DE',
      'SM-A536B',
      null,
    ],
    [
      'Mozilla/5.0 (Linux; Android 14; Pixel 8 Build/UD1A; wv) AppleWebKit/537.36 Version/4.0 Chrome/125 Mobile Safari/537.36 [FB_IAB/FB4A;FBAV/466.0.0.41.108;]',
      null,
      'Pixel 8',
      null,
    ],
    ['Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Mobile Safari/537.36', null, null, null],
    ['Mozilla/5.0 (Linux; U; Android 4.4.2; de-de; SM-G900F Build/KOT49H) AppleWebKit/534.30', null, 'SM-G900F', null],
    [`${SAFARI} Mobile/15E148 musical_ly_34.7.0 ByteLocale/fr-FR Region/FR`, 'fr-FR', null, null],
    ['', null, null, null],
    ['('.repeat(500) + ' Android 13; '.repeat(40), null, null, null],
  ] as const)
    t.same(factsOfUserAgent(userAgent), { language, model, screen }, userAgent.slice(-80));
});
