import { isbot } from 'isbot';

/**
 * Programs that fetch a link to show a card of it. The list is short on purpose: a program on it gets a card instead of
 * the redirect. One crawler too many here keeps a reader from the page, while one too few only means that no card is
 * shown. An IP address is never a sign: iMessage sends `facebookexternalhit` from the phone of the person who typed the
 * link.
 */
const PREVIEW_SIGNS = [
  'facebookexternalhit',
  'facebot',
  'facebookcatalog',
  'meta-external(?:agent|fetcher|hit)',
  'twitterbot',
  '^whatsapp/',
  'linkedinbot',
  'slackbot',
  'slack-imgproxy',
  'telegrambot',
  'discordbot',
  'skypeuripreview',
  'pinterest(?:bot)?/\\d',
  'redditbot',
  'google-inspectiontool',
  'mastodon/',
  'bluesky cardyb',
  'synapse \\(bot',
  'iframely',
  'embedly',
  'vkshare',
  'snap ?url ?preview',
  'applebot',
  'bingpreview',
  'viber',
];
const PREVIEW = new RegExp(PREVIEW_SIGNS.join('|'), 'i');

/**
 * Words in the names of browsers and phones that people use but that lists of bots match: the browsers inside the
 * Pinterest, Instagram, Bing and Baidu apps, phones made by CUBOT, and TikTok's note of the store an app came from.
 * They are removed before the list is consulted, so that they count for nothing while any other sign still does.
 */
const WORDS_OF_PEOPLE =
  /\[pinterest\/(?:ios|android)\]|\binstagram\b|\bbing(?:sapphire|web|\/\d)|\bbaidu(?:boxapp|browser|hd)?\b(?! ?spider)|cubot|channel\/googleplay/gi;

/** Whether the program behind the user agent shows cards. */
export function isPreviewBot(userAgent: string): boolean {
  return PREVIEW.test(userAgent);
}

/** Whether the user agent is a program's. It is redirected like a person, and its click says so. */
export function isProgram(userAgent: string): boolean {
  return isbot(userAgent.replace(WORDS_OF_PEOPLE, 'app'));
}

/** Whether one of the headers `Sec-Purpose`, `Purpose` and `X-Moz` says that nobody has followed the link yet. */
export function isPrefetch(purpose: string): boolean {
  return /prefetch|prerender|preview/i.test(purpose);
}
