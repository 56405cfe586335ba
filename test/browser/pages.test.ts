import { PNG } from 'pngjs';
import t from 'tap';
import { LANGUAGE_TAGS } from '../../engine/pages/texts/language.js';
import { TEXTS } from '../../engine/pages/texts/texts.js';
import { DESKTOP, IPHONE, linkRecord, NO_DESTINATIONS, PREVIEW } from '../engine/fixtures.js';
import { takePicture } from '../support/browser.js';
import { follow, LINK_HOST, linksOf, OPEN_HOST, openTab, PHONE, type Surfing, surf, WEB } from './link-host-visit.js';

/** The measurable properties of a page's look. */
interface Look {
  readonly width: number;
  /** The lowest contrast between any text and its background. */
  readonly contrast: number;
  /** The smallest height of a tap target; Infinity if there is none. */
  readonly tapHeight: number;
  readonly language: string;
  readonly title: string;
}

/** Runs in the page. Contrast is computed by WCAG 2.2, section 1.4.3; the colours behind a text are opaque. */
const MEASURE = `(() => {
  const channels = (color) => color.match(/[\\d.]+/g).map(Number);
  const luminance = (color) => {
    const [r, g, b] = channels(color).map((value) => value / 255).map((value) => value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4);
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const behind = (element) => {
    for (let at = element; at !== null; at = at.parentElement) {
      const color = getComputedStyle(at).backgroundColor;
      if (channels(color)[3] !== 0) return color;
    }
    throw new Error('nothing is behind ' + element.outerHTML);
  };
  const texts = [...document.querySelectorAll('main *')].filter((element) => [...element.childNodes].some((node) => node.nodeType === 3 && node.data.trim() !== ''));
  const contrasts = texts.map((element) => {
    const [high, low] = [luminance(getComputedStyle(element).color), luminance(behind(element))].sort((a, b) => b - a);
    return (high + 0.05) / (low + 0.05);
  });
  const heights = [...document.querySelectorAll('a')].map((link) => link.getBoundingClientRect().height);
  return {
    width: document.documentElement.scrollWidth,
    contrast: Math.min(...contrasts),
    tapHeight: Math.min(Infinity, ...heights),
    language: document.documentElement.lang,
    title: document.title,
  };
})()`;

const IN_INSTAGRAM = `${IPHONE} Instagram 334.0.4.32.98`;
const LONG_NAME = 'Rindfleischetikettierungsüberwachungsaufgabenübertragungsgesetz & Co';

/** A visit for each page. */
const PAGES: readonly (readonly [name: string, url: string, userAgent: string])[] = [
  ['open-page', `${LINK_HOST}/app`, IN_INSTAGRAM],
  ['open-page-without-store', `${LINK_HOST}/scheme`, IPHONE],
  ['card', `${LINK_HOST}/card`, PREVIEW],
  ['not-found', `${LINK_HOST}/nothing`, DESKTOP],
  ['disabled', `${LINK_HOST}/disabled`, DESKTOP],
  ['expired', `${LINK_HOST}/expired`, DESKTOP],
  ['deleted', `${LINK_HOST}/deleted`, DESKTOP],
  ['blocked', `${LINK_HOST}/blocked`, DESKTOP],
  ['no-destination', `${LINK_HOST}/nowhere`, DESKTOP],
  ['host-of-nobody', 'http://nobody.example/', DESKTOP],
];

function pageTests({ served, browser }: Surfing): void {
  served.links.set('disabled', linkRecord({ state: 'disabled' }));
  served.links.set('expired', linkRecord({ expires_at_ms: 1 }));
  served.links.set('deleted', linkRecord({ state: 'deleted' }));
  served.links.set('blocked', linkRecord({ state: 'blocked' }));
  served.links.set('nowhere', linkRecord());
  const card = JSON.stringify({ title: LONG_NAME, description: null, image_url: null });
  served.links.set('card', linkRecord({ card, destinations: { ...NO_DESTINATIONS, web: WEB } }));

  t.test('every page is readable on a narrow phone in light and dark, even with a long project name', async (t) => {
    const tab = await openTab(browser, { ...PHONE, viewport: { width: 320, height: 568 } });
    for (const [name, url, userAgent] of PAGES) {
      await tab.becomes(userAgent);
      await follow(tab, url);
      t.equal(await tab.page.getByRole('heading').count(), 1, name);
      for (const colorScheme of ['light', 'dark'] as const) {
        await tab.page.emulateMedia({ colorScheme });
        const look = await tab.page.evaluate<Look>(MEASURE);
        t.equal(look.width, 320, `${name}, ${colorScheme}: the page is not wider than the screen`);
        t.ok(look.contrast >= 4.5, `${name}, ${colorScheme}: contrast ${look.contrast.toFixed(1)}`);
        t.ok(look.tapHeight >= 44, `${name}, ${colorScheme}: the smallest tap target is ${look.tapHeight} pixels high`);
        await takePicture(tab.page, `${name}-${colorScheme}`);
      }
      t.same([tab.complaints, tab.fetched], [[], []], `${name}: the content security policy is not violated, and nothing is fetched`);
    }
  });

  t.test("pages are in the browser's language", async (t) => {
    for (const [locale, language] of [
      ['de-AT', 'de'],
      ['zh-CN', 'zh'],
      ['zh-TW', 'zh-hant'],
      ['nl', 'en'],
    ] as const) {
      const tab = await openTab(browser, { ...PHONE, locale, userAgent: IPHONE });
      const texts = TEXTS[language];
      await follow(tab, `${OPEN_HOST}/app`);
      t.equal((await tab.page.evaluate<Look>(MEASURE)).language, LANGUAGE_TAGS[language]);
      t.same(Object.keys(await linksOf(tab.page)), [texts.open_button, texts.get_button, texts.web_link]);
      await follow(tab, `${LINK_HOST}/blocked`);
      t.equal((await tab.page.evaluate<Look>(MEASURE)).title, `${texts.status.blocked.title} · ${LONG_NAME}`);
    }
  });

  t.test('a person who is taken for a bot reaches the destination by a tap on the card', async () => {
    const tab = await openTab(browser, { ...PHONE, userAgent: PREVIEW });
    await follow(tab, `${LINK_HOST}/card`);
    await tab.page.getByRole('link', { name: 'Continue' }).tap();
    await tab.page.waitForURL(WEB);
  });
}

function brandTests({ served, browser }: Surfing): void {
  t.test('pages with a brand are readable, show its logo and fetch nothing but the logo', async (t) => {
    const logo = new PNG({ width: 96, height: 96 });
    logo.data.fill(255);
    const brand = {
      name: LONG_NAME,
      color: '#ffdd00',
      logo: PNG.sync.write(logo).toString('base64'),
      support_url: 'https://shop.example/help',
    };
    served.config.environments = served.config.environments.map((record) => ({ ...record, brand }));
    served.config.version++;
    const tab = await openTab(browser, { ...PHONE, viewport: { width: 320, height: 568 } });
    await tab.page.goto(`${LINK_HOST}/not/there`);
    for (const [name, url, userAgent] of PAGES.filter(([name]) => name !== 'host-of-nobody' && name !== 'card')) {
      await tab.becomes(userAgent);
      await follow(tab, url);
      t.ok(await tab.page.evaluate('document.querySelector(".logo").naturalWidth === 96'), name);
      for (const colorScheme of ['light', 'dark'] as const) {
        await tab.page.emulateMedia({ colorScheme });
        const look = await tab.page.evaluate<Look>(MEASURE);
        t.equal(look.width, 320, `${name}, ${colorScheme}: the page is not wider than the screen`);
        t.ok(look.contrast >= 4.5, `${name}, ${colorScheme}: contrast ${look.contrast.toFixed(1)}`);
        t.ok(look.tapHeight >= 44, `${name}, ${colorScheme}: the smallest tap target is ${look.tapHeight} pixels high`);
        await takePicture(tab.page, `brand-${name}-${colorScheme}`);
      }
      t.same(tab.complaints, [], `${name}: the content security policy is not violated`);
    }
    t.ok(
      tab.fetched.length > 0 && tab.fetched.every((url) => new URL(url).pathname === '/.well-known/brand-logo'),
      'only the logo is fetched',
    );
  });
}

const surfing = await surf(t, { environment: { project_name: LONG_NAME, default_destinations: NO_DESTINATIONS } });
if (surfing !== null) {
  pageTests(surfing);
  // Must be last, because it gives the environment a brand.
  brandTests(surfing);
}
