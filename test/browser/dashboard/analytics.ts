import { readFile, writeFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { PNG } from 'pngjs';
import type { Test } from 'tap';
import type { ClicksAnswer } from '../../../shared/contract/schemas/clicks-query.js';
import { takePicture } from '../../support/browser.js';
import type { CreatedLink } from '../../support/stack.js';
import { until } from '../../support/until.js';
import { createVisitor, DESKTOP, IPHONE } from '../../support/visitor.js';
import type { Tours } from './tours.js';
import { findings, openSignedIn, overflows } from './visit.js';

/** Reads counts from the chart by keyboard, and exports them. */
async function chartTour(t: Test, page: Page): Promise<void> {
  const point = page.locator('.plot-point');
  const cutByAll = page.waitForRequest(/\/stats\/clicks\?.*breakdown=.*measure=all/);
  await page.getByRole('button', { name: /^All clicks/ }).click();
  await cutByAll;
  await page.waitForURL(/count=all/);
  await page.getByRole('columnheader', { name: 'All', exact: true }).and(page.locator('[aria-sort=descending]')).waitFor();
  await page.getByRole('button', { name: 'Today' }).click();
  await page.getByText('Hours in').waitFor();
  await page.getByRole('button', { name: '30 days' }).click();
  await page.getByText('Days in').waitFor();
  const chart = page.getByRole('slider', { name: /^All clicks, .* arrow keys/ });
  await chart.focus();
  await page.keyboard.press('End');
  await point.getByText('All').waitFor();
  const last = await point.textContent();
  await page.keyboard.press('ArrowLeft');
  await until(async () => (await point.textContent()) !== last, 'the previous point to be shown');
  t.match(await point.textContent(), /All 0Before/, 'the point shows yesterday and the day that it is compared with');
  // The old figures are shown faintly until the next answer arrives.
  await page.locator('.stack-old').first().waitFor({ state: 'detached' });
  t.strictSame(await findings(page), []);
  const save = async (name: string) => (await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name }).click()]))[0];
  const csv = await readFile(await (await save('Chart as CSV')).path(), 'utf8');
  t.match(csv, /^start,date,all,human,unique\r\n/);
  t.equal(csv.trimEnd().split('\r\n').length, 31);
  const png = PNG.sync.read(await readFile(await (await save('Chart as PNG')).path()));
  const plot = (await page.evaluate("(({ width, height }) => ({ width, height }))(document.querySelector('.plot canvas'))")) as PNG;
  const above = png.height - plot.height - 16;
  t.ok(above > 60, 'the picture has room for title, days and legend above the chart');
  t.ok(coloursOf(png, above) > 10, 'title, days and legend are drawn there');
  const funnel = await readFile(await (await save('Funnel as CSV')).path(), 'utf8');
  t.match(funnel, /^step,count\r\nClicks by people,\d+\r\nFirst opens of the app,\d+\r\nLater opens,\d+\r\nTracked events,\d+\r\n$/);
  const picture = await readFile(await (await save('Funnel as PNG')).path());
  t.equal(picture.subarray(1, 4).toString(), 'PNG');
  if ((process.env.TEST_SCREENSHOTS ?? '') !== '') await writeFile(`${process.env.TEST_SCREENSHOTS}/funnel.png`, picture);
  for (const name of ['This month', 'Last month']) {
    await page.getByRole('button', { name }).click();
    await page.getByRole('button', { name, pressed: true }).waitFor();
  }
  await page.getByRole('button', { name: '7 days' }).click();
}

/** The number of colours in the top rows of pixels. Text is drawn in many colours. */
function coloursOf({ width, data }: PNG, rows: number): number {
  return new Set(Array.from({ length: width * rows }, (_, pixel) => data.readUInt32BE(pixel * 4))).size;
}

/** While clicks are followed, a new click appears if the filters let it through. While they are paused, none does. */
async function liveTour(t: Test, page: Page, visit: () => Promise<void>): Promise<void> {
  const rows = page.getByRole('region', { name: 'Incoming clicks' }).locator('tbody tr');
  await page.getByRole('button', { name: 'Follow clicks' }).click();
  // Before the stream is open, a click may be stored that it does not send.
  await page.locator('.card-head .muted').getByText('Live', { exact: true }).waitFor();
  await visit();
  await rows.first().waitFor();
  t.match(await rows.first().textContent(), /\/told-apart-rarely/);
  await page.getByRole('status').filter({ hasText: '1 new click' }).waitFor({ state: 'attached' });
  await page.getByRole('button', { name: 'Pause' }).click();
  await page.getByText('Paused', { exact: true }).waitFor();
  t.equal(await rows.count(), 1);
  t.strictSame(await findings(page), []);
  await page.getByRole('button', { name: 'told-apart-often', exact: true }).click();
  await rows.first().waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Remove the filter Link' }).click();
  await rows.first().waitFor();
  await page.getByRole('region', { name: 'What clicks have led to' }).getByText('First opens of the app').waitFor();
}

/** Clicks by the tags of their links, and the filter that a tag sets. */
async function tagTour(t: Test, page: Page): Promise<void> {
  const row = (name: string) => page.getByRole('row').filter({ has: page.getByRole('button', { name, exact: true }) });
  const filters = page.getByRole('list', { name: 'Filters' });
  const choice = page.getByLabel('Tag of the link');
  await page.getByRole('tab', { name: 'Tag', exact: true }).click();
  t.match(await row('told apart').textContent(), /^told apart323$/);
  await row('No tag').waitFor();
  await row('told apart').getByRole('button').click();
  await filters.getByText('Tag: told apart').waitFor();
  t.equal(await choice.locator('option:checked').textContent(), 'told apart');
  await row('No tag').waitFor({ state: 'detached' });
  await choice.selectOption({ label: 'No tag' });
  await filters.getByText('Tag: No tag').waitFor();
  await row('told apart').waitFor({ state: 'detached' });
  await choice.selectOption({ label: 'Any' });
  await row('told apart').waitFor();
  t.equal(await filters.count(), 0);
  await page.getByRole('tab', { name: 'Link', exact: true }).click();
}

/**
 * Countries of a made-up answer: the map shows the countries that it has, a click on one filters by it, and clicks that are not
 * on the map are counted.
 */
async function mapTour(t: Test, page: Page): Promise<void> {
  const group = (value: string | null, human: number) => ({ value, name: null, all: human + 1, human, unique: human });
  const breakdown = [group('DE', 1200), group('BR', 90), group('IN', 7), group('SG', 5), group(null, 2)];
  await page.route('**/v1/stats/clicks?*breakdown=country*', async (route) => {
    const response = await route.fetch();
    return route.fulfill({ response, json: { ...(await response.json()), breakdown } });
  });
  const all = page.waitForRequest(/breakdown=country&limit=301/);
  await page.getByRole('tab', { name: 'Places' }).click();
  await all;
  const map = page.locator('.world-map');
  const germany = map.locator('[data-country=DE]');
  await germany.waitFor();
  t.match(await germany.getAttribute('class'), /^map-5 /, 'the country with most clicks has the strongest shade');
  t.equal(await map.locator('[data-country]').count(), 3);
  await page.getByRole('row').filter({ hasText: 'Singapore' }).waitFor();
  await page.getByText('7 clicks of the table are not on the map').waitFor();
  await germany.hover();
  t.equal(await map.locator('.plot-point').textContent(), 'GermanyPeople 1,200Unique 1,200All 1,201');
  t.strictSame(await findings(page), []);
  await takePicture(page, 'dashboard-map');
  const [png] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'Map as PNG' }).click()]);
  t.ok(coloursOf(PNG.sync.read(await readFile(await png.path())), 200) > 10, 'the picture has a title');
  await page.setViewportSize({ width: 390, height: 800 });
  await page.evaluate("document.documentElement.dataset.theme = 'dark'");
  await until(async () => !(await overflows(page)), 'the map to fit on a phone');
  t.strictSame(await findings(page, 'color-contrast'), []);
  await takePicture(page, 'dashboard-map-390');
  await page.evaluate("document.documentElement.dataset.theme = 'light'");
  await page.setViewportSize({ width: 1280, height: 1000 });
  await page.emulateMedia({ forcedColors: 'active' });
  await takePicture(page, 'dashboard-map-forced');
  await page.emulateMedia({ forcedColors: null });
  await germany.click();
  await page.getByRole('list', { name: 'Filters' }).getByText('Country: Germany').waitFor();
  await page.unrouteAll({ behavior: 'ignoreErrors' });
  await page.goBack();
  await page.getByRole('tab', { name: 'Links' }).click();
}

export const analyticsTours: Tours = {
  'a period that ends before it begins is not asked for, and says so': async (t, on) => {
    const { page, complaints } = await openSignedIn(t, on, '/analytics/from=2026-11-02&to=2026-11-01');
    const said = page.getByRole('alert').filter({ hasText: 'The period ends before it begins' });
    await said.waitFor();
    await page.getByLabel('To', { exact: true }).fill('2026-11-02');
    await said.waitFor({ state: 'detached' });
    const body = { url: `${on.receiver.origin}/ok/reversed`, events: ['campaign.ended'] };
    const { id } = (await on.stack.controlPlane.call<{ id: string }>(on.stack.project, 'POST', '/webhooks', body)).body;
    await page.goto(`${on.dashboardUrl}#/webhooks/${id}/list/from=2026-11-02T10:00&to=2026-11-01T10:00`);
    await said.waitFor();
    t.strictSame(complaints, []);
  },

  'clicks are told apart, filtered, taken back to and downloaded': async (t, on) => {
    const { stack } = on;
    const make = async (path: string, tags: readonly string[]) =>
      (
        await stack.controlPlane.call<CreatedLink>(stack.project, 'POST', '/links', {
          path,
          tags,
          destinations: { web: 'https://shop.example/' },
        })
      ).body;
    const [often, rarely] = [await make('told-apart-often', ['told apart']), await make('told-apart-rarely', [])];
    const visitor = createVisitor(stack.engine.port, stack.project.linkHost);
    t.teardown(() => visitor.close());
    for (const [path, agent] of [
      [often.path, IPHONE],
      [often.path, IPHONE],
      [often.path, DESKTOP],
      [rarely.path, DESKTOP],
    ] as const)
      t.equal((await visitor.visit(`/${path}`, agent)).status, 302);
    await until(async () => {
      const { body } = await stack.controlPlane.call<ClicksAnswer>(stack.project, 'GET', '/stats/clicks?breakdown=link&limit=100');
      const counted = (id: string) => body.breakdown.find(({ value }) => value === id)?.all;
      return counted(often.id) === 3 && counted(rarely.id) === 1;
    }, 'the clicks to be counted');

    const { page, complaints } = await openSignedIn(t, on, '/analytics', { viewport: { width: 1280, height: 1000 } });
    const row = (name: string) => page.getByRole('row').filter({ has: page.getByRole('button', { name, exact: true }) });
    await row(often.path).waitFor();
    t.match(await row(often.path).textContent(), /often323$/, 'the row shows clicks by people, unique visitors and all clicks');
    t.strictSame(await findings(page), []);
    await takePicture(page, 'dashboard-analytics');
    await page.getByRole('button', { name: often.path, exact: true }).click();
    await page.getByRole('list', { name: 'Filters' }).getByText(`Link: ${often.path}`).waitFor();
    await row(rarely.path).waitFor({ state: 'detached' });
    await page.getByRole('tab', { name: 'Links' }).press('ArrowLeft');
    await page.getByRole('tab', { name: 'UTM', exact: true }).press('ArrowLeft');
    await row('iOS').waitFor();
    t.match(await row('iOS').textContent(), /^iOS212$/);
    t.match(await row('Desktop').textContent(), /^Desktop111$/);
    const [file] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'Table as CSV' }).click()]);
    t.match(await readFile(await file.path(), 'utf8'), /^platform,name,all,human,unique\r\nios,,2,2,1\r\ndesktop,,1,1,1\r\n$/);
    await page.reload();
    await row('iOS').waitFor();
    await page.goBack();
    await page.goBack();
    await row(often.path).waitFor();
    await page.getByRole('button', { name: 'Remove the filter Link' }).click();
    await row(rarely.path).waitFor();
    await tagTour(t, page);
    await row(rarely.path).waitFor();
    await liveTour(t, page, async () => void (await visitor.visit(`/${rarely.path}`, DESKTOP)));
    await mapTour(t, page);
    await chartTour(t, page);
    await page.getByLabel('From').fill('2020-01-01');
    await page.getByText('clicks are kept for').waitFor();
    await page.getByRole('button', { name: '7 days' }).click();
    await row(rarely.path).waitFor();
    await page.setViewportSize({ width: 390, height: 800 });
    // The chart is redrawn for the narrower page.
    await until(async () => !(await overflows(page)), 'the page to fit on a phone');
    await takePicture(page, 'dashboard-analytics-390');
    t.strictSame(
      complaints.filter((complaint) => !complaint.includes('422')),
      [],
    );
  },

  'a day is typed digit by digit, is asked for once its year is whole, and the way back skips its parts': async (t, on) => {
    const { page, complaints } = await openSignedIn(t, on, '/campaigns');
    await page.getByRole('link', { name: 'Analytics' }).click();
    const from = page.getByLabel('From');
    await from.waitFor();
    const asked: string[] = [];
    page.on('request', (request) => void asked.push(new URL(request.url()).searchParams.get('from') ?? ''));
    const year = new Date().getUTCFullYear() - 1;
    await from.pressSequentially(`1231${year}`, { delay: 50 });
    await page.waitForURL(new RegExp(`from=${year}-12-31`));
    t.equal(await from.inputValue(), `${year}-12-31`);
    t.same(
      asked.filter((day) => day.startsWith('0')),
      [],
      'no day of the first millennium is asked for',
    );
    await page.goBack();
    await page.getByRole('heading', { name: 'Campaigns', level: 1 }).waitFor();
    t.strictSame(
      complaints.filter((complaint) => !complaint.includes('422')),
      [],
    );
  },

  'clicks that cannot be followed any longer can be followed again at once': async (t, on) => {
    const { page } = await openSignedIn(t, on, '/analytics');
    const problem = { type: 'about:blank', title: 'Forbidden', status: 403, code: 'insufficient_scope', detail: 'Not this key.' };
    await page.route('**/v1/clicks/stream*', (route) => route.fulfill({ status: 403, json: problem }), { times: 1 });
    await page.getByRole('button', { name: 'Follow clicks' }).click();
    await page.getByText('Not this key.').waitFor();
    await page.getByRole('button', { name: 'Follow clicks' }).click();
    await page.locator('.card-head .muted').getByText('Live', { exact: true }).waitFor();
    t.equal(await page.getByText('Not this key.').count(), 0);
  },

  'a call that is one too many at once is made again when the server says': async (t, on) => {
    let refusals = 0;
    const problem = { type: 'about:blank', title: 'Too many', status: 429, code: 'rate_limited', detail: 'One too many.' };
    const { page } = await openSignedIn(t, on, '/analytics', {
      before: async (page) => {
        await page.route('**/v1/stats/clicks?*breakdown=*', (route) => {
          if (++refusals > 1) return route.fallback();
          return route.fulfill({ status: 429, headers: { 'retry-after': '1' }, json: problem });
        });
      },
    });
    await page
      .getByRole('tabpanel', { name: 'Clicks by Link' })
      .getByText(/^No clicks\.$|Unique/)
      .first()
      .waitFor();
    t.equal(await page.getByText('One too many.').count(), 0);
    await page.unrouteAll({ behavior: 'ignoreErrors' });

    // A wait of a minute is not done in silence.
    await page.route('**/v1/campaigns*', (route) => route.fulfill({ status: 429, headers: { 'retry-after': '60' }, json: problem }));
    await page.getByRole('link', { name: 'Campaigns' }).click();
    await page.getByRole('heading', { name: 'Too many requests' }).waitFor();
    await page.unrouteAll({ behavior: 'ignoreErrors' });
  },

  'of many groups the largest are shown, more are said, and the file has them': async (t, on) => {
    const groups = Array.from({ length: 150 }, (_, place) => ({
      value: `v${place}`,
      resource_type: null,
      name: null,
      all: 200 - place,
      human: 200 - place,
      unique: 1,
    }));
    const { page, complaints } = await openSignedIn(t, on, '/analytics/by=browser_version', {
      before: async (page) => {
        await page.route('**/v1/stats/clicks?*breakdown=browser_version*', async (route) => {
          const response = await route.fetch();
          const limit = Number(new URL(route.request().url()).searchParams.get('limit'));
          return route.fulfill({ response, json: { ...(await response.json()), breakdown: groups.slice(0, limit) } });
        });
      },
    });
    await page.getByText('The 100 largest are shown. A CSV has up to 1,000.').waitFor();
    const rows = page.getByRole('region', { name: 'Clicks by Browser version' }).locator('tbody tr');
    await until(async () => (await rows.count()) === 100, 'the 100 largest groups to be shown');
    const save = async (name: string) =>
      (await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name }).click()]))[0];
    const csv = await readFile(await (await save('Table as CSV')).path(), 'utf8');
    t.equal(csv.trimEnd().split('\r\n').length, 151);
    const picture = PNG.sync.read(await readFile(await (await save('Table as PNG')).path()));
    t.equal(picture.width, 1600);
    t.ok(coloursOf(picture, 200) > 10, 'the picture has a title');
    await page.unrouteAll({ behavior: 'ignoreErrors' });
    t.strictSame(complaints, []);
  },

  'items that share an id are told apart by their types, in the table, its file and what is chosen': async (t, on) => {
    const groups = ['product', 'recipe'].map((resource_type, place) => ({
      value: '17',
      resource_type,
      name: null,
      all: 9 - place,
      human: 8 - place,
      unique: 7,
    }));
    const { page, complaints } = await openSignedIn(t, on, '/analytics/by=item', {
      before: async (page) => {
        await page.route('**/v1/stats/clicks?*breakdown=item*', async (route) => {
          const response = await route.fetch();
          return route.fulfill({ response, json: { ...(await response.json()), breakdown: groups } });
        });
      },
    });
    const row = (name: string) => page.getByRole('region', { name: 'Clicks by Item' }).getByRole('button', { name });
    await row('product 17').waitFor();
    const [file] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'Table as CSV' }).click()]);
    t.same((await readFile(await file.path(), 'utf8')).trimEnd().split('\r\n'), [
      'resource_type,item,name,all,human,unique',
      'product,17,,9,8,7',
      'recipe,17,,8,7,7',
    ]);
    const asked = page.waitForRequest((request) => request.url().includes('/v1/stats/clicks?') && request.url().includes('item=17'));
    await row('recipe 17').click();
    const { searchParams } = new URL((await asked).url());
    t.same([searchParams.get('resource_type'), searchParams.get('item')], ['recipe', '17']);
    await page.unrouteAll({ behavior: 'ignoreErrors' });
    t.strictSame(complaints, []);
  },

  'conversions are told apart by link, campaign, item, event and match, in the days of the project': async (t, on) => {
    const reached = { installs: 4, opens: 3, events: 2 };
    const values = [
      { currency: 'EUR', sum: 19.9 },
      { currency: 'USD', sum: 5 },
    ];
    const asked: URLSearchParams[] = [];
    const { page, complaints } = await openSignedIn(t, on, '/analytics/resource_type=product&country=DE', {
      before: async (page) => {
        // Sets the browser's clock two days back.
        await page.clock.setFixedTime(Date.now() - 2 * 86_400_000);
        await page.route('**/v1/stats/conversions?*', async (route) => {
          asked.push(new URL(route.request().url()).searchParams);
          const response = await route.fetch();
          const body = await response.json();
          return route.fulfill({
            response,
            json: {
              ...body,
              match_types: [{ match_type: 'play_referrer', installs: 4 }],
              events: [{ name: 'purchase', count: 2, values }],
              campaigns: [{ campaign: 'spring', clicks: 40, ...reached, values }],
              links: [
                { link: 'lnk_01jd4v6xq8e5s0m3k7n9p2r4tw', path: 'sale', clicks: 1234, ...reached, values },
                { link: null, path: null, clicks: null, ...reached, values: [] },
              ],
              resource_types: [{ resource_type: 'product', clicks: 50, ...reached, values }],
              items: [{ resource_type: 'product', item: 'p-17', clicks: 30, ...reached, values: [] }],
            },
          });
        });
      },
    });
    const row = (name: string) => page.getByRole('row').filter({ hasText: name });
    await page.getByRole('region', { name: 'Conversions by link' }).getByRole('link', { name: 'sale' }).waitFor();
    t.equal(await row('sale').last().textContent(), 'sale1,234432€19.90, US$5.00');
    t.equal(await row('No link').textContent(), 'No link–432–');
    t.strictSame(await findings(page), []);
    await page.getByRole('tab', { name: 'By campaign' }).click();
    t.equal(await row('spring').textContent(), 'spring40432€19.90, US$5.00');
    await page.getByRole('tab', { name: 'By resource type' }).click();
    t.equal(await row('product').last().textContent(), 'product50432€19.90, US$5.00');
    await page.getByRole('tab', { name: 'By item' }).click();
    t.equal(await row('p-17').textContent(), 'product p-1730432–');
    t.equal(asked[0]?.get('resource_type'), 'product');
    t.equal(asked[0]?.get('country'), null);
    await page.getByText('Only the filters link, campaign, resource type and item apply here.').waitFor();
    await page.getByRole('tab', { name: 'Events' }).click();
    t.equal(await row('purchase').textContent(), 'purchase2€19.90, US$5.00');
    await page.getByRole('tab', { name: 'Match types' }).click();
    t.equal(await row('Referrer of the Play store').textContent(), 'Referrer of the Play store4');
    t.strictSame(await findings(page), []);
    t.equal(asked[0]?.get('to'), new Date().toISOString().slice(0, 10), 'the requested range ends today in UTC');
    await page.unrouteAll({ behavior: 'ignoreErrors' });
    t.strictSame(complaints, []);
  },

  'range and measure of every screen of figures are in its address': async (t, on) => {
    const { body: link } = await on.stack.controlPlane.call<CreatedLink>(on.stack.project, 'POST', '/links', { path: 'ranged' });
    const { page, complaints } = await openSignedIn(t, on, '/');
    const isChosen = (name: string) => page.getByRole('button', { name, exact: true, pressed: true }).waitFor();
    await isChosen('7 days');
    await page.getByRole('button', { name: '30 days' }).click();
    await page.waitForURL(/#\/list\/range=30d&count=human$/);
    await page.getByRole('button', { name: 'Unique', exact: true }).click();
    await page.waitForURL(/#\/list\/range=30d&count=unique$/);
    await page.getByRole('link', { name: 'Overview', exact: true }).and(page.locator('[aria-current=page]')).waitFor();
    await page.reload();
    await isChosen('30 days');
    await isChosen('Unique');
    await page.goBack();
    await isChosen('People');
    await isChosen('30 days');
    // Another screen begins with the last choice, and shows it.
    await page.goto(`${on.dashboardUrl}#/links/${link.id}`);
    await page.waitForURL(/range=30d/);
    await isChosen('30 days');
    await page.getByRole('button', { name: '7 days' }).click();
    await page.waitForURL(new RegExp(`/links/${link.id}/list/.*range=7d`));
    await page.reload();
    await isChosen('7 days');
    await page.getByRole('link', { name: 'Statistics' }).click();
    await page.getByRole('button', { name: '30 days' }).click();
    await page.waitForURL(/#\/stats\/list\/range=30d/);
    await isChosen('30 days');
    await page.goBack();
    await isChosen('7 days');
    await page.getByRole('heading', { name: 'Statistics', level: 1 }).waitFor();
    await page.goBack();
    await page.getByRole('heading', { name: 'ranged', level: 1 }).waitFor();
    await isChosen('7 days');
    t.strictSame(complaints, []);
  },

  'a group without a value is filtered by its lack of one': async (t, on) => {
    const { page, complaints } = await openSignedIn(t, on, '/analytics/by=referrer_host', {
      before: async (page) => {
        await page.route('**/v1/stats/clicks?*breakdown=referrer_host*', async (route) => {
          const response = await route.fetch();
          const breakdown = [{ value: null, name: null, all: 3, human: 2, unique: 1 }];
          return route.fulfill({ response, json: { ...(await response.json()), breakdown } });
        });
      },
    });
    const filtered = page.waitForRequest((request) => new URL(request.url()).searchParams.get('referrer_host') === '');
    await page.getByRole('row').getByRole('button', { name: 'Direct or unknown' }).click();
    await page.getByRole('list', { name: 'Filters' }).getByText('Referrer: Direct or unknown').waitFor();
    await filtered;
    await page.unrouteAll({ behavior: 'ignoreErrors' });
    t.strictSame(complaints, []);
  },

  'the chart does not wait for the groups, whose failure leaves it alone': async (t, on) => {
    const asked: string[] = [];
    let answer = () => {};
    const held = new Promise<void>((resolve) => {
      answer = resolve;
    });
    const { page } = await openSignedIn(t, on, '/analytics', {
      before: async (page) => {
        page.on('request', (request) => asked.push(new URL(request.url()).search));
        await page.route('**/v1/stats/clicks?*breakdown=link*', async (route) => {
          await held;
          await route.fulfill({ status: 503, body: '' });
        });
      },
    });
    const panel = page.getByRole('tabpanel');
    await page.getByText('Days in').waitFor();
    await panel.getByRole('status', { name: 'Loading' }).waitFor();
    t.equal(await page.getByRole('button', { name: 'Table as CSV' }).isDisabled(), true);
    t.strictSame(await findings(page), []);
    answer();
    await panel.getByText('The request failed').waitFor({ timeout: 20_000 });
    t.ok(asked.includes('?range=last_30_days&interval=day&compare=true'), 'the request names the range and not its days');
    await page.unrouteAll({ behavior: 'ignoreErrors' });
    await page.getByRole('button', { name: 'Try again' }).click();
    // The failure goes a moment after the click, and the placeholder takes its place.
    await panel.getByText('The request failed').waitFor({ state: 'detached' });
    await panel.getByRole('status', { name: 'Loading' }).waitFor({ state: 'detached' });
    await page.getByRole('region', { name: 'What clicks have led to' }).waitFor();
    // The old table stays, under its own name, until the next one has arrived.
    await page.route('**/v1/stats/clicks?*breakdown=source*', () => undefined);
    await page.getByRole('tab', { name: 'Sources' }).click();
    await page.getByRole('tabpanel', { name: 'Clicks by Link', exact: true }).and(page.locator('[aria-busy=true]')).waitFor();
    const [file] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'Table as CSV' }).click()]);
    t.equal(file.suggestedFilename(), 'clicks-by-link.csv');
  },

  'where the days before have too many clicks to be compared, the others are shown': async (t, on) => {
    const detail = 'is too early for `compare`: ask for fewer days, or leave `compare` out';
    const errors = [{ in: 'query', pointer: '/range', code: 'invalid_range', detail }];
    const problem = { type: 'urn:problem:validation_failed', title: 'Validation failed', code: 'validation_failed', status: 422, errors };
    const { page } = await openSignedIn(t, on, '/analytics', {
      before: async (page) => {
        await page.route('**/v1/stats/clicks?*compare=true*', (route) => route.fulfill({ status: 422, json: problem }));
      },
    });
    await page.getByText('The days before cannot be compared: they have too many clicks, or their clicks are no longer kept.').waitFor();
    t.equal(await page.getByRole('alert').count(), 0);
  },
};
