import t from 'tap';
import {
  parsePlatformHint,
  parsePlatformVersion,
  recogniseVisitor,
  type Visitor,
  withClientHints,
} from '../../../shared/resolve/recognise-visitor.js';

const APPLE = 'AppleWebKit/605.1.15 (KHTML, like Gecko)';
const CHROME = 'AppleWebKit/537.36 (KHTML, like Gecko)';

type Row = readonly [name: string, userAgent: string, platform: Visitor['platform'], osVersion: string, inApp: Visitor['in_app_browser']];

const PEOPLE: readonly Row[] = [
  [
    'Safari on an iPhone',
    `Mozilla/5.0 (iPhone; CPU iPhone OS 17_5_1 like Mac OS X) ${APPLE} Version/17.5 Mobile/15E148 Safari/604.1`,
    'ios',
    '17.5.1',
    '',
  ],
  [
    'Safari 26, whose OS number stands still',
    `Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) ${APPLE} Version/26.1 Mobile/15E148 Safari/604.1`,
    'ios',
    '26.1',
    '',
  ],
  [
    'an iPad asked for the mobile site',
    `Mozilla/5.0 (iPad; CPU OS 16_6 like Mac OS X) ${APPLE} Version/16.6 Mobile/15E148 Safari/604.1`,
    'ios',
    '16.6',
    '',
  ],
  [
    'Chrome on an iPad as a desktop',
    `Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) ${APPLE} CriOS/125.0.6422.80 Version/11.1.1 Safari/605.1.15`,
    'ios',
    '',
    '',
  ],
  [
    'a web view, frozen',
    `Mozilla/5.0 (iPhone; CPU iPhone OS 18_7 like Mac OS X) ${APPLE} Mobile/15E148 [LinkedInApp]/9.31.1734`,
    'ios',
    '',
    'linkedin',
  ],
  [
    'a web view before',
    `Mozilla/5.0 (iPhone; CPU iPhone OS 18_6_2 like Mac OS X) ${APPLE} Mobile/15E148 [LinkedInApp]/9.31`,
    'ios',
    '18.6.2',
    'linkedin',
  ],
  [
    'a web view that names its build',
    `Mozilla/5.0 (iPhone; CPU iPhone OS 18_7 like Mac OS X) ${APPLE} Mobile/22H352 Instagram 440.0.0.30.81`,
    'ios',
    '18.7',
    'instagram',
  ],
  [
    'and one of a later system',
    `Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) ${APPLE} Mobile/23A341 Instagram 398.1.0`,
    'ios',
    '',
    'instagram',
  ],
  [
    'a web view whose app tells',
    `Mozilla/5.0 (iPad; CPU OS 18_7 like Mac OS X) ${APPLE} Mobile/15E148 [FBAN/FBIOS;FBDV/iPad8,1;FBSV/26.5.2;FBOP/80]`,
    'ios',
    '26.5.2',
    'facebook',
  ],
  [
    'Firefox on iOS, frozen',
    `Mozilla/5.0 (iPhone; CPU iPhone OS 18_7 like Mac OS X) ${APPLE} FxiOS/147.5 Mobile/15E148 Safari/604.1`,
    'ios',
    '',
    '',
  ],
  [
    'Chrome on iOS 18',
    `Mozilla/5.0 (iPhone; CPU iPhone OS 18_7 like Mac OS X) ${APPLE} CriOS/140.0.0.0 Mobile/15E148 Safari/604.1`,
    'ios',
    '18.7',
    '',
  ],
  [
    'an app on an iPad as a desktop',
    `Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) ${APPLE} Mobile/15E148 Instagram 334.0.4.32.98`,
    'ios',
    '',
    'instagram',
  ],
  [
    'Safari on a Mac, or on an iPad',
    `Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) ${APPLE} Version/17.5 Safari/605.1.15`,
    'desktop',
    '',
    '',
  ],
  ['Firefox on an old Mac', 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10.14; rv:126.0) Gecko/20100101 Firefox/126.0', 'desktop', '10.14', ''],
  [
    'Chrome on Android',
    `Mozilla/5.0 (Linux; Android 14; Pixel 8) ${CHROME} Chrome/125.0.6422.53 Mobile Safari/537.36`,
    'android',
    '14',
    '',
  ],
  ['Chrome on Android, reduced', `Mozilla/5.0 (Linux; Android 10; K) ${CHROME} Chrome/125.0.0.0 Mobile Safari/537.36`, 'android', '', ''],
  [
    'an Android WebView, reduced',
    `Mozilla/5.0 (Linux; Android 10; K; wv) ${CHROME} Version/4.0 Chrome/140.0.0.0 Mobile Safari/537.36`,
    'android',
    '',
    'webview',
  ],
  ['Firefox on Android', 'Mozilla/5.0 (Android 13; Mobile; rv:126.0) Gecko/126.0 Firefox/126.0', 'android', '13', ''],
  [
    'an Android WebView',
    `Mozilla/5.0 (Linux; Android 12; SM-A525F Build/SP1A.210812.016; wv) ${CHROME} Version/4.0 Chrome/125.0 Mobile Safari/537.36`,
    'android',
    '12',
    'webview',
  ],
  ['Windows', `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${CHROME} Chrome/125.0.0.0 Safari/537.36`, 'desktop', '10.0', ''],
  ['ChromeOS', `Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) ${CHROME} Chrome/125.0.0.0 Safari/537.36`, 'desktop', '14541.0.0', ''],
  [
    "Samsung's browser as a desktop",
    `Mozilla/5.0 (X11; Linux x86_64) ${CHROME} SamsungBrowser/30.0 Chrome/143.0.0.0 Safari/537.36`,
    'android',
    '',
    '',
  ],
  ['Linux', 'Mozilla/5.0 (X11; Linux x86_64; rv:126.0) Gecko/20100101 Firefox/126.0', 'desktop', '', ''],
  [
    'Windows Phone, which names both',
    `Mozilla/5.0 (Windows Phone 10.0; Android 6.0.1; Microsoft; Lumia 950) ${CHROME} Chrome/52.0 Mobile Safari/537.36 Edge/15.15063`,
    'other',
    '',
    '',
  ],
  [
    'a television',
    'Mozilla/5.0 (SMART-TV; Linux; Tizen 7.0) AppleWebKit/537.36 (KHTML, like Gecko) Version/7.0 TV Safari/537.36',
    'other',
    '',
    '',
  ],
  [
    'Facebook on iOS',
    `Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) ${APPLE} Mobile/15E148 [FBAN/FBIOS;FBAV/444.0.0.32.115;FBSN/iOS;FBSV/26.0.1;FBSS/3]`,
    'ios',
    '26.0.1',
    'facebook',
  ],
  [
    'Facebook on Android',
    `Mozilla/5.0 (Linux; Android 13; SM-A536B Build/TP1A; wv) ${CHROME} Version/4.0 Chrome/120.0 Mobile Safari/537.36 [FB_IAB/FB4A;FBAV/444.0.0.34.111;]`,
    'android',
    '13',
    'facebook',
  ],
  [
    'Facebook on Android, by its newer name',
    `Mozilla/5.0 (Linux; Android 16; Pixel 10 Pro XL Build/CP1A; wv) ${CHROME} Version/4.0 Chrome/146.0 Mobile Safari/537.36 MetaIAB Facebook`,
    'android',
    '16',
    'facebook',
  ],
  [
    'Instagram on iOS',
    `Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) ${APPLE} Mobile/21F79 Instagram 334.0.4.32.98 (iPhone13,2; iOS 17_5_1; en_US; en; scale=3.00; 1170x2532; 603516874)`,
    'ios',
    '17.5.1',
    'instagram',
  ],
  [
    'Instagram on Android',
    `Mozilla/5.0 (Linux; Android 14; SM-S918B; wv) ${CHROME} Version/4.0 Chrome/125.0 Mobile Safari/537.36 Instagram 333.0.0.42.91 Android (34/14; samsung)`,
    'android',
    '14',
    'instagram',
  ],
  [
    'TikTok with its store channel',
    `Mozilla/5.0 (Linux; Android 11; SM-T290; wv) ${CHROME} Version/4.0 Chrome/110.0 Mobile Safari/537.36 musical_ly_2022803040 JsSdk/1.0 Channel/googleplay AppName/musical_ly ByteLocale/en`,
    'android',
    '11',
    'tiktok',
  ],
  ['X on iOS', `Mozilla/5.0 (iPhone; CPU iPhone OS 16_6 like Mac OS X) ${APPLE} Mobile/20G75 Twitter for iPhone/10.1`, 'ios', '16.6', 'x'],
  [
    'LinkedIn',
    `Mozilla/5.0 (iPhone; CPU iPhone OS 16_0 like Mac OS X) ${APPLE} Mobile/15E148 [LinkedInApp]/9.29.4277`,
    'ios',
    '16.0',
    'linkedin',
  ],
  [
    'Snapchat',
    `Mozilla/5.0 (iPhone; CPU iPhone OS 17_1 like Mac OS X) ${APPLE} Mobile/15E148 Snapchat/12.60.0.42 (like Safari/8617.1.17.10.9, panda)`,
    'ios',
    '17.1',
    'snapchat',
  ],
  ['Line', `Mozilla/5.0 (iPhone; CPU iPhone OS 16_6 like Mac OS X) ${APPLE} Mobile/15E148 Safari Line/13.16.0`, 'ios', '16.6', 'line'],
  [
    'WeChat',
    'Mozilla/5.0 (iPhone; CPU iPhone OS 16_0 like Mac OS X) AppleWebKit/605.1.15 Mobile/15E148 MicroMessenger/8.0.33(0x1800212b) NetType/WIFI Language/en',
    'ios',
    '16.0',
    'wechat',
  ],
  [
    'Pinterest',
    `Mozilla/5.0 (iPhone; CPU iPhone OS 17_4_1 like Mac OS X) ${APPLE} Mobile/15E148 [Pinterest/iOS]`,
    'ios',
    '17.4.1',
    'pinterest',
  ],
  [
    'Bing',
    `Mozilla/5.0 (iPhone; CPU iPhone OS 17_4_1 like Mac OS X) ${APPLE} Version/17.0 Mobile/15E148 Safari/604.1 BingSapphire/28.3.420411003`,
    'ios',
    '17.4.1',
    '',
  ],
  [
    'Baidu',
    `Mozilla/5.0 (Linux; Android 12; M2102J2SC) ${CHROME} Version/4.0 Chrome/97.0 Mobile Safari/537.36 T7/13.33 baiduboxapp/13.33.0.10 (Baidu; P1 12)`,
    'android',
    '12',
    '',
  ],
  [
    'a phone made by CUBOT',
    `Mozilla/5.0 (Linux; Android 9; CUBOT_NOTE_20) ${CHROME} Chrome/110.0 Mobile Safari/537.36`,
    'android',
    '9',
    '',
  ],
  [
    'a phone whose name begins with CUBOT',
    `Mozilla/5.0 (Linux; Android 9;CUBOT X19 Build/PPR1) ${CHROME} Chrome/110.0 Mobile Safari/537.36`,
    'android',
    '9',
    '',
  ],
];

t.test('a person is recognised with platform, version and in-app browser, and is not a bot', async (t) => {
  for (const [name, userAgent, platform, os_version, in_app_browser] of PEOPLE)
    t.same(recogniseVisitor(userAgent), { platform, os_version, in_app_browser, preview_bot: false, bot_reason: '' }, name);
});

const PREVIEW_BOTS: readonly string[] = [
  'facebookexternalhit/1.1 (+http://www.facebook.com/externalhit_uatext.php)',
  'Facebot',
  'facebookcatalog/1.0',
  'meta-externalagent/1.1 (+https://developers.facebook.com/docs/sharing/webmasters/crawler)',
  'meta-externalfetcher/1.1',
  'Twitterbot/1.0',
  'WhatsApp/2.23.20.0 A',
  'LinkedInBot/1.0 (compatible; Mozilla/5.0; Apache-HttpClient +http://www.linkedin.com)',
  'Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)',
  'Slack-ImgProxy (+https://api.slack.com/robots)',
  'TelegramBot (like TwitterBot)',
  'Mozilla/5.0 (compatible; Discordbot/2.0; +https://discordapp.com)',
  'Mozilla/5.0 (Windows NT 6.1; WOW64) SkypeUriPreview Preview/0.5',
  'Pinterest/0.2 (+https://www.pinterest.com/bot.html)',
  'Mozilla/5.0 (compatible; Pinterestbot/1.0; +https://www.pinterest.com/bot.html)',
  'Mozilla/5.0 (compatible; redditbot/1.0; +http://www.reddit.com/feedback)',
  'Mozilla/5.0 (compatible; Google-InspectionTool/1.0;)',
  'Mastodon/4.2.8 (http.rb/5.1.1; +https://mastodon.social/)',
  'Mozilla/5.0 (compatible; Bluesky Cardyb/1.1; +mailto:support@bsky.app)',
  'Synapse (bot; +https://github.com/matrix-org/synapse)',
  'Iframely/1.3.1 (+https://iframely.com/docs/about)',
  'Mozilla/5.0 (compatible; Embedly/0.2; +http://support.embed.ly/)',
  'Mozilla/5.0 (compatible; vkShare; +http://vk.com/dev/Share)',
  'Snap URL Preview Service; bot; snapchat; https://developers.snap.com/robots',
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_5) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/13.1.1 Safari/605.1.15 (Applebot/0.1; +http://www.apple.com/go/applebot)',
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/103.0.5060.134 Safari/537.36 BingPreview/1.0b',
  'Viber/20.0',
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_11_1) AppleWebKit/601.2.4 (KHTML, like Gecko) Version/9.0.1 Safari/601.2.4 facebookexternalhit/1.1 Facebot Twitterbot/1.0',
];

t.test('every preview bot in the list gets a card', async (t) => {
  for (const userAgent of PREVIEW_BOTS) t.equal(recogniseVisitor(userAgent).preview_bot, true, userAgent);
});

t.test('other programs are bots and get no card', async (t) => {
  for (const userAgent of [
    'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)',
    'Mozilla/5.0 (Linux; Android 6.0.1; Nexus 5X Build/MMB29P) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/125.0 Mobile Safari/537.36 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)',
    'Mozilla/5.0 (compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm)',
    'Mozilla/5.0 (compatible; Baiduspider/2.0; +http://www.baidu.com/search/spider.html)',
    'curl/8.5.0',
    'python-requests/2.31.0',
    'Mozilla/5.0 (Linux; Android 9; CUBOT_NOTE_20) (compatible; SomeBot/1.0)',
  ]) {
    const visitor = recogniseVisitor(userAgent);
    t.same([visitor.preview_bot, visitor.bot_reason], [false, 'isbot'], userAgent);
  }
});

t.test('a visit without a user agent counts as a bot, whatever its hints say', async (t) => {
  const visitor = recogniseVisitor('');
  t.match(visitor, { platform: 'other', preview_bot: false, bot_reason: 'no_user_agent' });
  t.equal(withClientHints(visitor, 'ios', '17.5').bot_reason, 'no_user_agent');
});

t.test('the platform hint overrides only a desktop user agent', async (t) => {
  const ipad = recogniseVisitor(
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_14_6) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/125.0.0.0 Safari/537.36',
  );
  t.equal(ipad.platform, 'desktop');
  t.same(withClientHints(ipad, 'ios', ''), { ...ipad, platform: 'ios', os_version: '' });
  t.equal(withClientHints(ipad, '', '14'), ipad);
  const android = recogniseVisitor('Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36 Chrome/125.0 Mobile Safari/537.36');
  t.equal(withClientHints(android, 'ios', '17'), android);
  t.same(['"iOS"', '"iPadOS"', '"Android"', '"macOS"', 'iOS', ''].map(parsePlatformHint), ['ios', 'ios', 'android', '', '', '']);
});

t.test('a client hint gives the version that a user agent leaves out, but only for its own platform', async (t) => {
  const chrome = recogniseVisitor(
    'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/125.0.0.0 Mobile Safari/537.36',
  );
  t.match(withClientHints(chrome, 'android', '14'), { platform: 'android', os_version: '14' });
  t.equal(withClientHints(chrome, 'android', ''), chrome);
  t.equal(withClientHints(chrome, '', '14'), chrome);
  const desktop = recogniseVisitor('Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/125.0.0.0 Safari/537.36');
  t.match(
    withClientHints(desktop, 'android', '15.1'),
    { platform: 'android', os_version: '15.1' },
    'a tablet that asks for the desktop site',
  );
  for (const [header, version] of [
    ['"14.0.0"', '14'],
    ['"14"', '14'],
    ['"14.1.0"', '14.1'],
    ['"10.0.1"', '10.0.1'],
    ['"100.0"', '100'],
    ['""', ''],
    ['"0.0.0"', ''],
    ['"0.1.0"', '0.1'],
    ['14.0.0', ''],
    ['"14.0.0.0.0"', ''],
    ['"14.x"', ''],
    ['"NT 10"', ''],
    [`"${'1'.repeat(500)}"`, ''],
    ['"14"\n', ''],
  ] as const)
    t.equal(parsePlatformVersion(header), version, header);
});

t.test('a hostile user agent of the maximum length is judged in under 5 ms', async (t) => {
  for (const piece of ['a', '@a', '()', 'OS 1_', 'Android ', 'x/1.0 ', 'mobile/1', '; wv', 'google', ' ']) {
    const userAgent = `Mozilla/5.0 (${piece.repeat(1024)}`.slice(0, 1024);
    recogniseVisitor(userAgent);
    // The shortest of many rounds, because other load on the machine can only lengthen them.
    const rounds = Array.from({ length: 20 }, () => {
      const began = performance.now();
      recogniseVisitor(userAgent);
      return performance.now() - began;
    });
    t.ok(Math.min(...rounds) < 5, piece);
  }
});
