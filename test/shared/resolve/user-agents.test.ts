import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { recogniseVisitor, type Visitor } from '../../../shared/resolve/recognise-visitor.js';
import { ROOT } from '../../support/source-tree.js';

/** The lines of a list from outside. What these lists say of each user agent does not come from the rules under test. */
function linesOf(name: string): readonly string[] {
  return readFileSync(join(ROOT, 'test', 'fixtures', 'user-agents', name), 'utf8')
    .trimEnd()
    .split('\n');
}

const PROGRAMS = linesOf('programs.txt');
const PEOPLE = linesOf('people.tsv').map((line) => line.split('\t') as [platform: string, userAgent: string]);

/** Names of the programs that show cards, as plain text; the contract's list has patterns. */
const PREVIEW_NAMES = [
  'facebookexternalhit',
  'facebot',
  'facebookcatalog',
  'meta-externalagent',
  'meta-externalfetcher',
  'meta-externalhit',
  'twitterbot',
  'linkedinbot',
  'slackbot',
  'slack-imgproxy',
  'telegrambot',
  'discordbot',
  'skypeuripreview',
  'pinterest/0.',
  'pinterestbot/1.',
  'redditbot',
  'google-inspectiontool',
  'mastodon/',
  'synapse (bot',
  'iframely',
  'embedly',
  'vkshare',
  'snap url preview',
  'snapurlpreview',
  'applebot',
  'bingpreview',
  'viber',
];

function isNamedPreview(userAgent: string): boolean {
  const text = userAgent.toLowerCase();
  return text.startsWith('whatsapp/') || PREVIEW_NAMES.some((name) => text.includes(name));
}

/** User agents on the list of programs that contain no sign of a program. Some are browsers of people. */
const NO_SIGN_OF_A_PROGRAM = [
  'MetaIAB Facebook',
  'Instagram 406.0.0.58.159 Android',
  ' Code/1.115.0 ',
  ' Trae/1.107.1 ',
  ' Fluid/0.9.6 ',
  'TSM-turingos',
  ' GTmetrix',
  ' Miniature.io/6.0 ',
  ' YLT ',
];

type Verdict = 'person' | 'program' | 'preview';

function verdictOf({ preview_bot, bot_reason }: Visitor): Verdict {
  return preview_bot ? 'preview' : bot_reason === '' ? 'person' : 'program';
}

/** How many user agents of the list got each verdict, and which ones did not get the expected one. */
function judge(list: readonly string[], expected: Verdict) {
  const counts: Record<Verdict, number> = { person: 0, program: 0, preview: 0 };
  const others: string[] = [];
  for (const userAgent of list) {
    const verdict = verdictOf(recogniseVisitor(userAgent));
    counts[verdict]++;
    if (verdict !== expected) others.push(userAgent);
  }
  return { counts, others };
}

/** Words in user agents of people that are also on lists of programs. */
const APPS_OF_PEOPLE = [
  '[Pinterest/iOS]',
  '[Pinterest/Android]',
  'Instagram 334.0.4.32.98 (iPhone13,2; iOS 17_5; en_US; en; scale=3.00; 1170x2532; 603516874)',
  '[FBAN/FBIOS;FBAV/444.0.0.32.115;FBSN/iOS;FBSV/17.5;FBSS/3]',
  'BingSapphire/28.3.420411003',
  'BingWeb/6.9.8',
  'baiduboxapp/13.33.0.10 (Baidu; P1 12)',
  'baidubrowser/7.19',
  'musical_ly_2022803040 JsSdk/1.0 NetType/WIFI Channel/googleplay AppName/musical_ly ByteLocale/en',
  'Snapchat/12.60.0.42 (like Safari/8617.1.17.10.9, panda)',
  'Twitter for iPhone/10.1',
  '[LinkedInApp]/9.29.4277',
  'Line/13.16.0',
  'MicroMessenger/8.0.33(0x1800212b) NetType/WIFI Language/en',
];

t.test('in public lists every preview bot gets a card, every other program is marked, and no person counts as either', async (t) => {
  const plain = PEOPLE.map(([, userAgent]) => userAgent);
  const inApps = plain.flatMap((userAgent) => APPS_OF_PEOPLE.map((app) => `${userAgent} ${app}`));
  const cubot = plain.filter((text) => text.includes('; K)')).map((text) => text.replace('; K)', '; CUBOT_NOTE_20)'));
  const rows = {
    'people (user-agents)': judge(plain, 'person'),
    'the same inside apps': judge(inApps, 'person'),
    'the same on a CUBOT': judge(cubot, 'person'),
    'preview bots (crawler-user-agents)': judge(PROGRAMS.filter(isNamedPreview), 'preview'),
    'other programs (crawler-user-agents)': judge(
      PROGRAMS.filter((text) => !isNamedPreview(text)),
      'program',
    ),
  };
  const total = (counts: Record<Verdict, number>) => counts.person + counts.program + counts.preview;
  t.comment(`${''.padEnd(40)}${['person', 'program', 'preview'].map((verdict) => verdict.padStart(9)).join('')}`);
  for (const [name, { counts }] of Object.entries(rows))
    t.comment(`${name.padEnd(40)}${[counts.person, counts.program, counts.preview].map((count) => String(count).padStart(9)).join('')}`);

  t.ok(total(rows['people (user-agents)'].counts) > 300 && total(rows['preview bots (crawler-user-agents)'].counts) > 70);
  t.ok(cubot.length > 5);
  for (const [name, { others }] of Object.entries(rows).filter(([name]) => !name.startsWith('other'))) t.same(others, [], name);
  const unmarked = rows['other programs (crawler-user-agents)'].others;
  t.same(
    unmarked.filter((userAgent) => !NO_SIGN_OF_A_PROGRAM.some((sign) => userAgent.includes(sign))),
    [],
    'programs that are not marked',
  );
  t.equal(unmarked.length, NO_SIGN_OF_A_PROGRAM.length, 'an exception that is no longer needed has to be removed');
});

t.test('the platform is the one that the device itself states', async (t) => {
  for (const [platform, userAgent] of PEOPLE)
    if (recogniseVisitor(userAgent).platform !== platform) t.fail(`${platform}, not ${recogniseVisitor(userAgent).platform}: ${userAgent}`);
  t.same([...new Set(PEOPLE.map(([platform]) => platform))].sort(), ['android', 'desktop', 'ios']);
});
