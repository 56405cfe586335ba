import { readFile } from 'node:fs/promises';
import { setTimeout } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import { takePicture } from '../../support/browser.js';
import { readQrPng } from '../../support/qr-reader.js';
import { until } from '../../support/until.js';
import { withScheme } from './stack.js';
import type { Tours } from './tours.js';
import { ANIMATED, chooseCampaign, errorOf, findings, openParts, openSignedIn, overflows } from './visit.js';

/** The text of the QR code as the browser draws it; null if none is shown. */
async function readShownCode(page: Page): Promise<string | null> {
  const url = (await page.evaluate(`(async () => {
    const image = document.querySelector('img.qr');
    if (image === null) return '';
    await image.decode();
    const canvas = Object.assign(document.createElement('canvas'), { width: image.naturalWidth, height: image.naturalHeight });
    canvas.getContext('2d').drawImage(image, 0, 0);
    return canvas.toDataURL('image/png');
  })()`)) as string;
  return url === '' ? null : readQrPng(Buffer.from(url.split(',')[1] ?? '', 'base64'));
}

/** The table of links when it has this many rows, including those that are not rendered because they are far out of sight. */
const listOf = (page: Page, links: number) => page.locator(`table[aria-label="Links"][aria-rowcount="${links + 1}"]`);

export const linksTours: Tours = {
  'a QR code gets colours, a frame and a logo, is read as it is shown, and saved in three forms': async (t, on) => {
    const { page, complaints } = await openSignedIn(t, on, '/links/new');
    await page.getByLabel('Path', { exact: true }).fill('poster');
    await page.getByLabel('Destination', { exact: true }).fill('shop.example/poster');
    await page.getByRole('button', { name: 'Create link' }).click();
    await page.getByRole('heading', { name: 'poster', level: 1 }).waitFor();
    await page.getByRole('button', { name: 'QR code' }).click();
    const image = page.getByRole('img', { name: /QR code that leads/ });
    await image.waitFor();
    const encoded = `${(await image.getAttribute('alt'))?.replace('QR code that leads to ', '')}?qr=1`;
    t.equal(await readShownCode(page), encoded, 'the URL of the code has the parameter that marks its clicks');

    await page.getByLabel('Foreground').fill('#ffe08a');
    await page.getByRole('status').filter({ hasText: 'Scanners cannot read these colours' }).waitFor();
    t.ok(await page.getByRole('button', { name: 'Download PDF' }).isDisabled());
    await page.getByText('There is no QR code to show.').waitFor();
    await page.getByRole('button', { name: 'Poster', exact: true }).click();
    await page.getByLabel('Logo').setInputFiles({ name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('not a picture') });
    await page.getByRole('alert').filter({ hasText: 'cannot show notes.txt' }).waitFor();
    const disc = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><circle cx="4.5" cy="4.5" r="4.5" fill="#c2410c"/></svg>';
    await page.getByLabel('Logo').setInputFiles({ name: 'disc.svg', mimeType: 'image/svg+xml', buffer: Buffer.from(disc) });
    await page.getByText('disc.svg').waitFor();
    t.ok(await page.getByLabel('Error correction').isDisabled());
    const isHigh = "(image => image !== null && image.naturalHeight > image.naturalWidth)(document.querySelector('img.qr'))";
    await until(() => page.evaluate<boolean>(isHigh), 'the frame of the code');
    await until(async () => (await readShownCode(page)) === encoded, 'the code to be readable');
    t.strictSame(await findings(page), []);
    await takePicture(page, 'dashboard-qr-studio');
    await page.setViewportSize({ width: 390, height: 844 });
    await takePicture(page, 'dashboard-qr-studio-phone');
    // The chart behind the dialog is resized one frame later.
    await until(async () => !(await overflows(page)), 'the page to fit on a phone');
    await page.setViewportSize({ width: 1280, height: 900 });

    for (const [form, head] of [
      ['SVG', '<svg'],
      ['PNG', '\x89PNG'],
      ['PDF', '%PDF-1.4'],
    ] as const) {
      const button = page.getByRole('button', { name: `Download ${form}` });
      const [file] = await Promise.all([page.waitForEvent('download'), button.click()]);
      t.equal(file.suggestedFilename(), `poster.${form.toLowerCase()}`);
      t.ok((await readFile(await file.path())).toString('latin1').startsWith(head), form);
    }
    // A code that cannot be read is not saved without a warning.
    const blank = '<svg xmlns="http://www.w3.org/2000/svg" width="90" height="90"/>';
    await page.route('**/v1/links/*/qr', (route) => route.fulfill({ contentType: 'image/svg+xml', body: blank }));
    await page.getByRole('button', { name: 'Download SVG' }).click();
    await page.getByText('could not read the code').waitFor();
    await page.unroute('**/v1/links/*/qr');
    await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'Save it anyway' }).click()]);
    await page.getByLabel('Line below the code').fill('\u626b\u7801');
    await page.getByText(/must contain only Latin, Greek or Cyrillic letters/).waitFor();
    t.equal(await page.getByText('could not read the code').count(), 0, 'the warning goes with the style that it is about');
    await page.getByRole('button', { name: 'Plain', exact: true }).click();
    await page.getByRole('button', { name: 'Remove the logo' }).click();
    await image.waitFor();
    await page.keyboard.press('Escape');
    await on.stack.rows("DELETE FROM links WHERE path = 'poster'");
    t.strictSame(complaints, []);
  },

  'the style of a domain is used for all of its codes, given back, and not replaced unseen': async (t, on) => {
    const { stack } = on;
    const { body: domain } = await stack.controlPlane.call<{ id: string }>(stack.project, 'POST', '/domains', {
      hostname: 'qr.example.com',
    });
    await stack.rows("UPDATE domains SET status = 'verified' WHERE hostname = 'qr.example.com'");
    const { body: link } = await stack.controlPlane.call<{ id: string }>(stack.project, 'POST', '/links', {
      path: 'styled',
      domain: 'qr.example.com',
    });
    const style = async () =>
      (await stack.controlPlane.call<{ qr_style: { foreground: string } | null }>(stack.project, 'GET', `/domains/${domain.id}`)).body
        .qr_style;
    const change = (qr_style: object) => stack.controlPlane.call(stack.project, 'PATCH', `/domains/${domain.id}`, { qr_style });
    const { page, complaints } = await openSignedIn(t, on, `/links/${link.id}`);
    await page.getByRole('button', { name: 'QR code' }).click();
    await page.getByText('QR codes of qr.example.com look like this.').waitFor();
    await page.getByLabel('Foreground').fill('#7a0d2e');
    // A change elsewhere to other fields of the domain does not affect its codes.
    await stack.controlPlane.call(stack.project, 'PATCH', `/domains/${domain.id}`, { case_insensitive: true });
    const use = page.getByRole('button', { name: 'Use it for all codes of qr.example.com' });
    await use.click();
    await page.getByText('QR codes of qr.example.com look like this from now on.').waitFor();
    t.equal((await style())?.foreground, '#7a0d2e');

    await page.getByLabel('Foreground').fill('#0d3b66');
    await change({ foreground: '#0b6b45', background: '#f4fbf7', dots: 'dots', frame_text: 'Theirs' });
    await use.click();
    await page.getByRole('alert').filter({ hasText: 'been changed elsewhere' }).waitFor();
    t.equal((await style())?.foreground, '#0b6b45', 'a style that was changed elsewhere is not replaced');
    await page.getByRole('button', { name: 'Use the style of qr.example.com' }).click();
    t.equal(await page.getByLabel('Foreground').inputValue(), '#0b6b45');
    t.equal(await page.getByLabel('Line below the code').inputValue(), 'Theirs');
    t.strictSame(await findings(page), []);
    await page.keyboard.press('Escape');

    // The form shows the code in the domain's style, and the code can be read.
    await page.getByRole('link', { name: 'Edit' }).click();
    const code = page.getByRole('img', { name: 'QR code of qr.example.com' });
    await code.locator('path[fill="#0b6b45"]').first().waitFor();
    await code.getByText('Theirs').waitFor();
    const picture = await code.screenshot();
    t.match(readQrPng(picture), /qr\.example\.com.*\/styled\?qr=1$/);
    for (const dots of ['rounded', 'square']) {
      await change({ foreground: '#0b6b45', dots });
      await page.reload();
      await code.locator('path[fill="#0b6b45"]').waitFor();
      t.match(readQrPng(await code.screenshot()), /\/styled\?qr=1$/, dots);
    }
    await stack.rows("DELETE FROM links WHERE path = 'styled'");
    await stack.rows("DELETE FROM domains WHERE hostname = 'qr.example.com'");
    t.strictSame(complaints, []);
  },

  'rules of a link are set, shown and taken away': async (t, on) => {
    const { page, complaints } = await openSignedIn(t, on, '/links/new');
    await page.getByLabel('Path', { exact: true }).fill('ruled');
    await page.getByLabel('Destination', { exact: true }).fill('shop.example/ruled');
    await openParts(page, 'Expiry and rules');
    await page.getByLabel('Works from').fill('2040-01-01T00:00');
    await page.getByLabel('Expires').fill('2039-01-01T00:00');
    await page.getByText('The link expires before it begins to work.').waitFor();
    await page.getByLabel('Expires').fill('2041-01-01T00:00');
    await page.getByLabel('Click limit').fill('0');
    await page.getByLabel('Ask for a password').check();
    await page.getByText('preview bots do not see where').waitFor();
    await page.getByLabel('By country').fill('de shop.example/de\nXX');
    await page.getByRole('button', { name: 'Create link' }).click();
    await errorOf(page, 'Click limit').waitFor();
    await errorOf(page, 'Password').waitFor();
    await errorOf(page, 'By country').waitFor();
    t.strictSame(await findings(page), []);
    await page.getByLabel('Click limit').fill('1500');
    await page.getByLabel('Password', { exact: true }).fill('sesame');
    await page.getByLabel('By country').fill('de shop.example/de');
    await takePicture(page, 'dashboard-link-rules');
    t.notMatch(JSON.stringify(await page.evaluate('({ ...sessionStorage })')), 'sesame', 'a draft does not hold the password');
    await page.getByRole('button', { name: 'Create link' }).click();
    await page.getByRole('heading', { name: 'ruled', level: 1 }).waitFor();
    await page.locator('.badge', { hasText: 'scheduled' }).waitFor();
    await page.getByText('preview bots do not see where').waitFor();
    const tried = page.waitForRequest('**/v1/links/test');
    await page.getByLabel('Country').fill('de');
    await page.getByRole('button', { name: 'Try it' }).click();
    t.match((await tried).postDataJSON(), { country: 'DE' });
    for (const fact of ['1,500', 'required', 'DE https://shop.example/de'])
      await page.getByRole('definition').filter({ hasText: fact }).waitFor();
    await page.getByRole('link', { name: 'Edit' }).click();
    await openParts(page, 'Comments');
    await page.getByLabel('Comments').fill('the password stays');
    await page.getByRole('button', { name: 'Save changes' }).click();
    await page.getByRole('definition').filter({ hasText: 'required' }).waitFor();
    await page.getByRole('link', { name: 'Edit' }).click();
    await page.getByLabel('Ask for a password').uncheck();
    await page.getByLabel('By country').fill('');
    await page.getByRole('button', { name: 'Save changes' }).click();
    await page.getByRole('definition').filter({ hasText: 'the password stays' }).waitFor();
    t.strictSame(await on.stack.rows("SELECT password, geo, max_clicks FROM links WHERE path = 'ruled'"), [
      { password: null, geo: null, max_clicks: 1500 },
    ]);
    await on.stack.rows("DELETE FROM links WHERE path = 'ruled'");
    t.strictSame(complaints, []);
  },

  'a link is made, found, looked at, tried, changed, switched off and deleted': async (t, on) => {
    const { dashboardUrl } = on;
    const { page, complaints } = await openSignedIn(t, on, '/links', ANIMATED);
    await page.getByRole('heading', { name: 'Create your first link' }).waitFor();
    await page.getByRole('link', { name: 'New link' }).first().click();

    await page.getByLabel('Path', { exact: true }).fill('spring sale');
    await page.getByText('This link has no destination').waitFor();
    await openParts(page, 'Expiry and rules', 'App data');
    await page.getByLabel('Expires').fill('2020-01-01T00:00');
    await page.getByText('This time has passed').waitFor();
    await page.getByLabel('Expires').fill('');
    await page.getByLabel('Destination', { exact: true }).fill('javascript:alert(1)');
    await page.getByLabel('Data', { exact: true }).fill('[1]');
    await page.getByRole('button', { name: 'Create link' }).click();
    await errorOf(page, 'Destination').waitFor();
    await errorOf(page, 'Path').waitFor();
    t.equal(await page.locator('.toast').count(), 0, 'only the form says what is wrong, and no message covers its buttons');
    t.match(await errorOf(page, 'Data').textContent(), /object/);
    t.strictSame(await findings(page), []);
    await page.getByLabel('Path', { exact: true }).fill('spring');
    await page.getByLabel('Data', { exact: true }).fill('{"sale": 9007199254740993}');
    await page.getByRole('button', { name: 'Create link' }).click();
    await errorOf(page, 'Data').filter({ hasText: 'too large to be represented exactly' }).waitFor();
    await page.reload();
    t.equal(await page.getByLabel('Path', { exact: true }).inputValue(), 'spring', 'a reload keeps the typed values');
    await page.getByText('Your unsent entries were restored.').waitFor();
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('link', { name: 'New link' }).click();
    await page.getByRole('heading', { name: 'New link', level: 1 }).waitFor();
    t.equal(await page.getByLabel('Path', { exact: true }).inputValue(), '', 'who cancels does not get the typed values again');
    await page.getByLabel('Path', { exact: true }).fill('spring');
    await page.getByRole('button', { name: 'App data' }).click();
    await page.getByLabel('Destination', { exact: true }).fill('shop.example/spring');
    await page.getByLabel('Data', { exact: true }).fill('{"sale": 1}');
    await page.getByRole('button', { name: 'Create link' }).click();
    await page.getByRole('heading', { name: 'spring', level: 1 }).waitFor();

    await page.getByText('No clicks on these days').first().waitFor();
    await page.getByText('preview bots are redirected to it').waitFor();
    t.equal(await page.getByText('not set', { exact: true }).count(), 4, 'no default stands for the other destinations');
    await takePicture(page, 'dashboard-link');
    await page.getByLabel('Visitor').selectOption('ios');
    await page.getByRole('button', { name: 'Try it' }).click();
    const rules = page.getByRole('list', { name: 'Rules that applied' });
    await rules.getByText('destination', { exact: true }).first().waitFor();
    t.ok((await rules.getByRole('listitem').count()) >= 5);
    await page.getByText('https://shop.example/spring').first().waitFor();

    // The link is enabled again before the first change is answered. The second change waits for that answer, and uses its entity tag.
    const answers: number[] = [];
    await page.route('**/v1/links/lnk_*', async (route) => {
      if (route.request().method() !== 'PATCH') return route.continue();
      const response = await route.fetch();
      await setTimeout(500);
      answers.push(response.status());
      await route.fulfill({ response });
    });
    await page.getByRole('button', { name: 'Disable' }).click();
    await page.locator('.badge', { hasText: 'disabled' }).waitFor();
    await page.getByRole('button', { name: 'Enable' }).click();
    await until(async () => answers.length === 2, 'both changes to be answered');
    await page.locator('.badge', { hasText: 'active' }).waitFor();
    t.strictSame(answers, [200, 200]);
    await page.unroute('**/v1/links/lnk_*');

    await page.getByRole('link', { name: 'Edit' }).click();
    await page.getByRole('button', { name: 'Save changes' }).waitFor();
    await openParts(page, 'Preview card', 'Name and tags', 'Aliases', 'Per platform');
    await page.getByLabel('Title').fill('Spring sale');
    await page.locator('.card-gallery strong', { hasText: 'Spring sale' }).first().waitFor();
    await takePicture(page, 'dashboard-link-card');
    await page.getByLabel('Name', { exact: true }).fill('First button');
    await page.getByLabel('Tags', { exact: true }).fill('print,  spring,print');
    await page.getByLabel('Aliases').fill('go.demo.example/sale/2027.html');
    await page.getByLabel('iOS').fill('shop://sale');
    await withScheme(on.stack, 'shop', async () => {
      await page.getByRole('button', { name: 'Save changes' }).click();
      await page.getByRole('definition').filter({ hasText: 'shop://sale' }).waitFor();
      await page.getByRole('definition').filter({ hasText: 'go.demo.example/sale/2027.html' }).waitFor();
      await page.locator('.card-gallery strong', { hasText: 'Spring sale' }).first().waitFor();
    });

    await page.goto(`${dashboardUrl}#/links/new`);
    await page.getByLabel('Path', { exact: true }).fill('spring');
    await page.getByRole('button', { name: 'Create link' }).click();
    t.match(await errorOf(page, 'Path').textContent(), /taken|is an alias/);

    await page.goto(`${dashboardUrl}#/links`);
    await page.getByRole('searchbox').fill('http://go.demo.example/spr');
    const row = page.getByRole('table', { name: 'Links' }).locator('tbody').getByRole('row').filter({ hasText: 'First button' });
    // The list is read again while its filters change, so that the wait is for its contents.
    for (const tag of ['print', 'spring']) await row.locator('.tag', { hasText: tag }).waitFor();
    for (const text of ['first BUTT', 'shop.example/spr', 'rint']) {
      await page.getByRole('searchbox').fill('no such link');
      await page.getByRole('heading', { name: 'No link matches' }).waitFor();
      await page.getByRole('searchbox').fill(text);
      await row.waitFor();
    }
    await page.getByRole('button', { name: 'Edit tags' }).click();
    await page.getByLabel('Name of print').fill('spring');
    await page.getByRole('button', { name: 'Rename print' }).click();
    await page.getByRole('alert').filter({ hasText: 'already' }).waitFor();
    await page.getByLabel('Name of print').fill('paper');
    await page.getByRole('button', { name: 'Rename print' }).click();
    await page.getByLabel('Name of paper').waitFor();
    t.strictSame(await findings(page), []);
    await page.getByRole('button', { name: 'Delete paper' }).click();
    await page
      .getByRole('dialog', { name: /^Delete the tag paper/ })
      .getByRole('button', { name: 'Delete tag' })
      .click();
    await page.getByLabel('Name of paper').waitFor({ state: 'detached' });
    await page.keyboard.press('Escape');
    await page.getByRole('searchbox').fill('');
    await row.locator('.tag', { hasText: 'spring' }).waitFor();
    for (const tag of ['print', 'paper']) await row.locator('.tag', { hasText: tag }).waitFor({ state: 'detached' });
    await page.getByLabel('Tag', { exact: false }).first().selectOption('spring');
    await page.getByLabel('Sort').selectOption('By name');
    await row.waitFor();
    await takePicture(page, 'dashboard-links-tagged');
    t.strictSame(await findings(page), []);
    await row.getByRole('link').click();
    await page.getByRole('link', { name: 'Edit' }).click();
    await openParts(page, 'Name and tags');
    await page.getByLabel('Archived').check();
    await page.getByRole('button', { name: 'Save changes' }).click();
    await page.locator('.badge', { hasText: 'archived' }).waitFor();
    await page.goto(`${dashboardUrl}#/links`);
    await page.getByRole('heading', { name: 'Create your first link' }).waitFor();
    await page.getByLabel('State').selectOption('archived');
    await row.getByRole('link').click();
    await page.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete link' }).click();
    await page.getByRole('heading', { name: 'No link matches' }).waitFor();
    await page.getByRole('button', { name: 'Undo', exact: true }).click();
    await page.getByText('/spring was restored.').waitFor();
    await row.getByRole('link').waitFor();
    await on.stack.rows("DELETE FROM links WHERE path = 'spring'");
    t.strictSame(complaints, []);
  },

  'a link is built beside what comes of it: closed parts, URLs, card and QR code, saved by keyboard': async (t, on) => {
    await on.stack.controlPlane.call(on.stack.project, 'POST', '/campaigns', { key: 'built', name: 'Built', utm_source: 'mail' });
    const { page, complaints } = await openSignedIn(t, on, '/links/new');
    const rail = page.getByRole('complementary', { name: 'What visitors get' });
    await page.getByLabel('Destination', { exact: true }).fill('shop.example/built?page=1#top');
    t.equal(await page.getByLabel('iOS').count(), 0, 'a new form shows only the most common fields');
    await openParts(page, 'Per platform');
    // The part that opens gets the focus.
    await page.getByLabel('iOS').and(page.locator(':focus')).waitFor();
    await page.getByLabel('iOS').fill('https://apps.example/built');
    await openParts(page, 'Campaign and UTM', 'Preview card');
    await chooseCampaign(page, 'built');
    await rail.getByText('https://shop.example/built?page=1&utm_source=mail#top').first().waitFor();
    await rail.getByText('https://apps.example/built?utm_source=mail').waitFor();
    await page.getByLabel('Title').fill('Built to last');
    await rail.locator('strong', { hasText: 'Built to last' }).waitFor();
    await rail.getByText('Shown as soon as the path is set.').waitFor();
    await page.getByLabel('Path', { exact: true }).fill('built');
    await rail.getByRole('img', { name: /QR code of .*\/built$/ }).waitFor();
    await page.getByRole('button', { name: 'Per platform' }).click();
    await page.getByLabel('iOS').waitFor({ state: 'detached' });
    await rail.getByText('https://apps.example/built?utm_source=mail').waitFor();
    t.strictSame(await findings(page), []);
    await takePicture(page, 'dashboard-link-builder');
    await page.getByLabel('Title').press('Control+Enter');
    await page.getByRole('heading', { name: 'built', level: 1 }).waitFor();
    t.match(await on.stack.rows("SELECT destinations, campaign FROM links WHERE path = 'built'"), [
      { destinations: { web: 'https://shop.example/built?page=1#top', ios: 'https://apps.example/built' }, campaign: 'built' },
    ]);
    await page.getByRole('link', { name: 'Edit' }).click();
    await page.getByLabel('iOS').waitFor();
    await page.getByLabel('iOS').fill('javascript:alert(1)');
    await page.getByRole('button', { name: 'Per platform' }).click();
    await page.getByLabel('Destination', { exact: true }).press('Control+Enter');
    await errorOf(page, 'iOS').waitFor();
    // A part opens if one of its fields is wrong.
    await page.getByLabel('iOS').and(page.locator(':focus')).waitFor();
    await on.stack.rows("DELETE FROM links WHERE path = 'built'");
    await on.stack.rows("DELETE FROM campaigns WHERE key = 'built'");
    t.strictSame(complaints, []);
  },

  'links are chosen from the list, changed together, taken back and exported': async (t, on) => {
    const { stack } = on;
    const links = ['one', 'two', 'three'].map((name) => ({
      path: `chosen-${name}`,
      destinations: { web: `https://shop.example/${name}` },
    }));
    await stack.controlPlane.call(stack.project, 'POST', '/links/bulk', {
      links: [...links, { path: 'chosen-four', title: 'Four', tags: ['old'] }],
    });
    const { page, complaints } = await openSignedIn(t, on, '/links');
    const states = async () => {
      const rows = await stack.rows<{ path: string; state: string }>(
        "SELECT path, state FROM links WHERE path LIKE 'chosen-%' ORDER BY path",
      );
      return rows.map(({ path, state }) => `${path} ${state}`);
    };
    const untilStates = (...expected: readonly string[]) => until(async () => (await states()).join() === expected.join(), expected.join());
    const idOf = async (name: string) => (await stack.rows<{ id: string }>(`SELECT id FROM links WHERE path = 'chosen-${name}'`))[0]?.id;
    const linkOf = async (name: string) =>
      (await stack.controlPlane.call<{ tags: string[] }>(stack.project, 'GET', `/links/${await idOf(name)}`)).body;
    const bar = page.getByRole('group', { name: 'Chosen links' });
    const choose = (name: string) => page.getByRole('checkbox', { name: new RegExp(`Choose .*/chosen-${name}$`) }).check();
    await page.getByRole('searchbox').fill('chosen-');
    const table = page.getByRole('table', { name: 'Links' });
    let place: Awaited<ReturnType<typeof table.boundingBox>> = null;
    // The list of before has more rows, and while the searched one takes its place there is no table for a moment.
    await until(async () => {
      if ((await page.locator('.link-row').count()) === 4) place = await table.boundingBox();
      return place !== null;
    }, 'the links that were searched');
    for (const name of ['one', 'two']) await choose(name);
    await bar.getByText('2 links chosen').waitFor();
    t.same(await table.boundingBox(), place, 'the bar moves nothing');
    await page.setViewportSize({ width: 390, height: 844 });
    await bar.getByRole('button', { name: 'Actions' }).click();
    t.same(await page.getByRole('menuitem').allInnerTexts(), [
      'Choose all 4 shown',
      'Add tags',
      'Set campaign',
      'Disable',
      'Archive',
      'Delete',
      'Export chosen',
    ]);
    t.strictSame(await findings(page), []);
    await page.keyboard.press('Escape');
    t.equal(await page.evaluate('document.activeElement.textContent'), 'Actions', 'the focus returns to the button of the menu');
    await page.setViewportSize({ width: 1280, height: 900 });
    t.strictSame(await findings(page), []);
    await takePicture(page, 'dashboard-links-chosen');
    await bar.getByRole('button', { name: 'Disable' }).click();
    await page.getByText('2 links are disabled.').waitFor();
    await untilStates('chosen-four active', 'chosen-one disabled', 'chosen-three active', 'chosen-two disabled');
    await page.getByRole('button', { name: 'Undo', exact: true }).click();
    await page.getByText('2 links are as before.').waitFor();
    await untilStates('chosen-four active', 'chosen-one active', 'chosen-three active', 'chosen-two active');

    await choose('four');
    await bar.getByRole('button', { name: 'Choose all 4 shown' }).click();
    await bar.getByText('4 links chosen').waitFor();
    // A change that the list does not show yet.
    await stack.controlPlane.call(stack.project, 'PATCH', `/links/${await idOf('one')}`, { tags: ['theirs'] });
    await bar.getByRole('button', { name: 'Add tags' }).click();
    await page.getByLabel('Tags, separated by commas').fill('print, old');
    await page.getByRole('dialog').getByRole('button', { name: 'Add tags' }).click();
    await page.getByText('4 links are tagged print, old.').waitFor();
    const tagged = await stack.controlPlane.call<{ data: { path: string; tags: string[] }[] }>(stack.project, 'GET', '/links?tag=print');
    t.strictSame(tagged.body.data.map(({ path, tags }) => [path, tags.toSorted()]).toSorted(), [
      ['chosen-four', ['old', 'print']],
      ['chosen-one', ['old', 'print', 'theirs']],
      ['chosen-three', ['old', 'print']],
      ['chosen-two', ['old', 'print']],
    ]);
    await stack.controlPlane.call(stack.project, 'PATCH', `/links/${await idOf('two')}`, { tags: ['old', 'print', 'later'] });
    await page.getByRole('button', { name: 'Undo', exact: true }).click();
    await page.getByText('4 links are as before.').waitFor();
    for (const [name, tags] of Object.entries({ one: ['theirs'], two: ['later'], four: ['old'] }))
      t.strictSame((await linkOf(name)).tags, tags, `the undo removes only the added tags from ${name}`);

    await page.getByRole('button', { name: 'Export', exact: true }).click();
    const [file] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'Export CSV' }).click()]);
    t.equal(file.suggestedFilename(), 'links.csv');
    const text = await readFile(await file.path(), 'utf8');
    t.match(text, /^path,/);
    t.equal(text.split('\r\n').filter((line) => line.startsWith('chosen-')).length, 4, 'the export has only the filtered links');

    await choose('four');
    await bar.getByRole('button', { name: 'Export chosen' }).click();
    const [chosen] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'Export NDJSON' }).click()]);
    const lines = (await readFile(await chosen.path(), 'utf8')).split('\n').filter(Boolean);
    t.match(
      lines.map((line) => JSON.parse(line)),
      [{ path: 'chosen-four', imported_clicks: [], clicks_left: null }],
    );
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await bar.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete 1 link' }).click();
    await page.getByText('1 link is deleted.').waitFor();
    await untilStates('chosen-four deleted', 'chosen-one active', 'chosen-three active', 'chosen-two active');
    await page.getByRole('button', { name: 'Undo', exact: true }).click();
    await page.getByText('1 link is as before.').waitFor();
    await untilStates('chosen-four active', 'chosen-one active', 'chosen-three active', 'chosen-two active');

    await page.goto(`${on.dashboardUrl}#/links/bulk`);
    await page
      .getByLabel('Drop a file here')
      .setInputFiles({ name: 'links.csv', mimeType: 'text/csv', buffer: Buffer.from(text.replaceAll('chosen-', 'again-')) });
    await page.getByRole('button', { name: 'Check the file' }).click();
    await page.getByText('4 links can be created.').waitFor();
    await stack.rows("DELETE FROM links WHERE path LIKE 'chosen-%'");
    t.strictSame(complaints, []);
  },

  'chosen links get a campaign, go to the archive and back, and what others did meanwhile is not replaced unseen': async (t, on) => {
    const { stack } = on;
    for (const key of ['bulk-mine', 'bulk-theirs']) await stack.controlPlane.call(stack.project, 'POST', '/campaigns', { key, name: key });
    await stack.controlPlane.call(stack.project, 'POST', '/links/bulk', {
      links: ['one', 'two', 'three'].map((name) => ({ path: `bulk-${name}` })),
    });
    const { page, complaints } = await openSignedIn(t, on, '/links');
    const bar = page.getByRole('group', { name: 'Chosen links' });
    const row = (name: string) => page.locator('.link-row').filter({ hasText: `/bulk-${name}` });
    const choose = async (...names: readonly string[]) => {
      for (const name of names) await row(name).getByRole('checkbox').check();
    };
    const states = async () => {
      const rows = await stack.rows<{ path: string; campaign: string | null; archived: boolean }>(
        "SELECT path, campaign, archived FROM links WHERE path LIKE 'bulk-%' ORDER BY path",
      );
      return rows.map(({ path, campaign, archived }) => `${path.slice(5)} ${archived ? 'archived' : campaign}`);
    };
    const undo = async (count: string) => {
      await page.getByRole('button', { name: 'Undo', exact: true }).last().click();
      await page.getByText(`${count} as before.`).waitFor();
    };
    await page.getByRole('searchbox').fill('bulk-');
    await choose('one', 'two', 'three');
    const [{ id }] = (await stack.rows<{ id: string }>("SELECT id FROM links WHERE path = 'bulk-two'")) as [{ id: string }];
    await stack.controlPlane.call(stack.project, 'PATCH', `/links/${id}`, { campaign: 'bulk-theirs' });
    // The list is not read again: it shows what the answers to the changes said.
    await page.route('**/v1/links?*', (route) => route.abort());
    await bar.getByRole('button', { name: 'Set campaign' }).click();
    await chooseCampaign(page.getByRole('dialog'), 'bulk-mine');
    await page.getByRole('dialog').getByRole('button', { name: 'Set campaign' }).click();
    await page.getByRole('dialog', { name: '1 link could not be changed' }).getByText('been changed elsewhere').waitFor();
    await page.keyboard.press('Escape');
    for (const name of ['one', 'three']) await row(name).getByText('bulk-mine').waitFor({ state: 'attached' });
    t.strictSame(await states(), ['one bulk-mine', 'three bulk-mine', 'two bulk-theirs'], 'a campaign that was set elsewhere is kept');
    await page.unroute('**/v1/links?*');
    await undo('2 links are');
    t.strictSame(await states(), ['one null', 'three null', 'two bulk-theirs']);
    await page.reload();

    await choose('one', 'three');
    await bar.getByRole('button', { name: 'Archive', exact: true }).click();
    await page.getByText('2 links are archived.').waitFor();
    t.strictSame(await states(), ['one archived', 'three archived', 'two bulk-theirs']);
    await undo('2 links are');
    t.strictSame(await states(), ['one null', 'three null', 'two bulk-theirs']);

    await row('one').waitFor();
    await choose('one');
    await bar.getByRole('button', { name: 'Archive', exact: true }).click();
    await page.getByText('1 link is archived.').waitFor();
    await page.getByLabel('State').selectOption({ label: 'archived' });
    await row('two').waitFor({ state: 'detached' });
    await choose('one');
    await bar.getByRole('button', { name: 'Remove from the archive' }).click();
    await page.getByText('1 link was removed from the archive.').waitFor();
    t.strictSame(await states(), ['one null', 'three null', 'two bulk-theirs']);
    await undo('1 link is');
    t.strictSame(await states(), ['one archived', 'three null', 'two bulk-theirs']);
    await stack.rows("DELETE FROM links WHERE path LIKE 'bulk-%'");
    await stack.rows("DELETE FROM campaigns WHERE key LIKE 'bulk-%'");
    t.strictSame(
      complaints.filter((complaint) => !complaint.includes('ERR_FAILED')),
      [],
    );
  },

  'links are listed by clicks, and a link that moved in shows its clicks of before': async (t, on) => {
    const { stack } = on;
    await stack.controlPlane.call(stack.project, 'POST', '/links/bulk', { links: [{ path: 'moved-in' }, { path: 'moved-not' }] });
    await stack.rows(`INSERT INTO imported_clicks (link_id, source, clicks) SELECT id, 'bitly', 12345 FROM links WHERE path = 'moved-in'`);
    const { page, complaints } = await openSignedIn(t, on, '/links');
    await page.getByLabel('Search').fill('moved-');
    const clicksOf = (path: string) =>
      page
        .locator('.link-row')
        .filter({ hasText: `/${path}` })
        .locator('.cell-clicks');
    for (const order of ['Most clicks', 'Newest first']) {
      await page.getByLabel('Sort').selectOption({ label: order });
      await clicksOf('moved-in').getByText('0 click').waitFor();
      await clicksOf('moved-not').getByText('0 click').waitFor();
    }
    await page.getByRole('link', { name: /moved-in$/ }).click();
    await page.getByText('12,345 clicks before the import, at Bitly.').waitFor();
    t.strictSame(await findings(page), []);
    t.strictSame(complaints, []);
  },

  'a row of the list shows its path whole while there is room for it, and how many tags it has no room for': async (t, on) => {
    const { stack } = on;
    const link = { path: 'poster-in-zurich', tags: ['autumn', 'newsletter', 'print', 'a-tag-that-is-long'] };
    await stack.controlPlane.call(stack.project, 'POST', '/links', link);
    const { page } = await openSignedIn(t, on, '/links/list/search=poster-in-zurich');
    const row = page.getByRole('table', { name: 'Links' }).locator('tbody').getByRole('row').filter({ hasText: 'poster-in-zurich' });
    const isWhole = (selector: string) =>
      page.evaluate(`(({ scrollWidth, clientWidth }) => scrollWidth <= clientWidth)(document.querySelector('${selector}'))`);
    for (const width of [1440, 1200, 390]) {
      await page.setViewportSize({ width, height: 900 });
      t.equal(await row.locator('.url-path').textContent(), '/poster-in-zurich');
      t.equal(await isWhole('.url-path'), true, `${width} pixels`);
      t.equal(await row.getByTitle('print, a-tag-that-is-long').textContent(), '+2');
      t.ok(await row.getByTitle('print, a-tag-that-is-long').isVisible());
    }
    await page.setViewportSize({ width: 1200, height: 900 });
    await page.evaluate("document.querySelector('.url-host').textContent = 'a-long-name-of-a-host.links.example.com'");
    t.equal(await isWhole('.url-path'), true, 'a long host is shortened before the path');
    t.equal(await isWhole('.url-host'), false);
  },

  'long lists are paged by their cursor': async (t, on) => {
    const { stack } = on;
    const links = Array.from({ length: 60 }, (_, number) => ({ path: `paged-${number}` }));
    await stack.controlPlane.call(stack.project, 'POST', '/links/bulk', { links });
    const { page } = await openSignedIn(t, on, '/links');
    const found = page.waitForResponse((response) => response.url().includes('search=paged-'));
    await page.getByRole('searchbox').fill('paged-');
    await found;
    const rows = page.getByRole('table', { name: 'Links' }).locator('tbody').getByRole('row');
    await listOf(page, 50).waitFor();
    await page.getByRole('button', { name: 'Show more' }).waitFor();
    // The next page is loaded near the end of the list.
    await rows.nth(30).scrollIntoViewIfNeeded();
    await listOf(page, 60).waitFor();
    t.equal(await page.getByRole('button', { name: 'Show more' }).count(), 0);
    await page.reload();
    // A reload shows the same number of links.
    await listOf(page, 60).waitFor();
    // When a reader returns to the window later, short lists are read again, but no page of a long list.
    const asked: string[] = [];
    page.on('request', (request) => asked.push(new URL(request.url()).pathname));
    await page.clock.install();
    await page.clock.fastForward(60_000);
    const tags = page.waitForRequest('**/v1/tags?*');
    await page.evaluate("window.dispatchEvent(new Event('visibilitychange'))");
    await tags;
    await page.clock.runFor(1_000);
    t.ok(asked.includes('/v1/tags'));
    t.notOk(asked.includes('/v1/links'), 'the pages of a long list are not requested again');
  },

  'the list is in its address: sorted by its headings, and back leads to the row that was opened': async (t, on) => {
    const { page, complaints } = await openSignedIn(t, on, '/links');
    const rows = page.getByRole('table', { name: 'Links' }).locator('tbody').getByRole('row');
    await page.getByRole('searchbox').fill('paged-');
    await page.waitForURL(/#\/links\/list\/search=paged-$/);
    const heading = page.getByRole('columnheader', { name: 'Link', exact: false }).first();
    await heading.getByRole('button').click();
    await rows.first().filter({ hasText: 'paged-0' }).waitFor();
    t.equal(await heading.getAttribute('aria-sort'), 'ascending');
    await heading.getByRole('button').click();
    await rows.first().filter({ hasText: 'paged-9' }).waitFor();
    t.equal(await heading.getAttribute('aria-sort'), 'descending');
    t.strictSame(await findings(page), []);
    await page.getByRole('button', { name: 'Show more' }).press('Enter');
    await listOf(page, 60).waitFor();
    const opened = page.getByRole('link', { name: 'paged-14', exact: true });
    await opened.click();
    await page.getByRole('heading', { name: 'paged-14', level: 1 }).waitFor();
    const isBack = async () => {
      await page.locator('.link-table a:focus', { hasText: 'paged-14' }).waitFor();
      const box = await opened.boundingBox();
      t.ok(box !== null && box.y > 0 && box.y < 900, 'the row is in sight');
      await listOf(page, 60).waitFor();
    };
    await page.goBack();
    await isBack();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'paged-14', level: 1 }).waitFor();
    await page.getByRole('link', { name: 'Links' }).last().click();
    await isBack();
    await page.getByRole('navigation', { name: 'Screens' }).getByRole('link', { name: 'Links' }).click();
    await until(async () => (await page.evaluate('scrollY')) === 0, 'the top of the list');
    await listOf(page, 50).waitFor();
    t.match(page.url(), /#\/links$/, 'the list shows its first page');
    t.equal(await page.getByRole('searchbox').inputValue(), '', 'the menu opens the list without a search');
    t.strictSame(complaints, []);
  },

  'what is searched for is asked for as it was typed, with its percent signs, after a reload too': async (t, on) => {
    const { page, complaints } = await openSignedIn(t, on, '/links');
    const typed = 'https://shop.example/caf%C3%A9?a=%26 100%';
    const asked = () => page.waitForRequest((request) => new URL(request.url()).searchParams.get('search') === typed);
    const first = asked();
    await page.getByRole('searchbox').fill(typed);
    await first;
    const again = asked();
    await page.reload();
    await again;
    t.equal(await page.getByRole('searchbox').inputValue(), typed);
    // The way back from another screen leads to the same search.
    await page.getByRole('link', { name: 'Campaigns' }).click();
    await page.getByRole('heading', { name: 'Campaigns', level: 1 }).waitFor();
    await page.goBack();
    await until(async () => (await page.getByRole('searchbox').inputValue()) === typed, 'the former search text');
    t.strictSame(complaints, []);
  },

  'of more tags than a page of the list has, the form says that these are not all': async (t, on) => {
    const { page, complaints } = await openSignedIn(t, on, '/links/new', {
      before: async (page) => {
        const tag = { id: 'tag_1', name: 'one of many', created_at: '2026-01-01T00:00:00Z', updated_at: '2026-01-01T00:00:00Z' };
        await page.route('**/v1/tags?*', (route) => route.fulfill({ json: { data: [tag], next_cursor: 'more' } }));
      },
    });
    await page.getByLabel('Path', { exact: true }).waitFor();
    await openParts(page, 'Name and tags');
    await page.getByText('Used so far, among others: one of many.').waitFor();
    t.strictSame(complaints, []);
  },

  'ten thousand rows scroll, and are chosen, without a wait': async (t, on) => {
    const made = Array.from({ length: 10_000 }, (_, number) => ({ number, id: `lnk_${String(number).padStart(26, '0')}` }));
    const { page } = await openSignedIn(t, on, '/campaigns');
    const { body } = await on.stack.controlPlane.call<object>(on.stack.project, 'POST', '/links', { path: 'one-of-many' });
    const data = made.map(({ number, id }) => ({ ...body, id, path: `row-${number}`, title: `Row ${number}` }));
    await page.route('**/v1/links?*', (route) => route.fulfill({ json: { data, next_cursor: null } }));
    await page.goto(`${on.dashboardUrl}#/links`);
    await page.locator('table[aria-rowcount="10001"]').waitFor();
    const longest = page.evaluate(`new Promise((resolve) => {
      let longest = 0;
      let before = performance.now();
      const until = before + 2000;
      const frame = (now) => {
        longest = Math.max(longest, now - before);
        before = now;
        scrollBy(0, 900);
        if (now < until) requestAnimationFrame(frame);
        else resolve(longest);
      };
      requestAnimationFrame(frame);
    })`);
    const milliseconds = (await longest) as number;
    t.comment(`the longest frame took ${Math.round(milliseconds)} ms`);
    t.ok(milliseconds < 1000, `a frame took ${milliseconds} ms`);
    await page.evaluate('scrollTo(0, document.documentElement.scrollHeight)');
    await page.getByRole('link', { name: 'Row 9999', exact: true }).waitFor();
    const lastRow = page.locator('.link-row', { has: page.getByRole('link', { name: 'Row 9999', exact: true }) });
    t.equal(await lastRow.getAttribute('aria-rowindex'), '10001', 'screen readers can say which of all rows it is');
    t.ok((await page.locator('.link-row').count()) < 600, 'rows far outside the window are not drawn');
  },

  'a deleted link is found by its state and restored, and nothing else can be done with it': async (t, on) => {
    const { stack } = on;
    const { body: link } = await stack.controlPlane.call<{ id: string }>(stack.project, 'POST', '/links', { path: 'lost-and-found' });
    await stack.controlPlane.call(stack.project, 'DELETE', `/links/${link.id}`);
    const { page, complaints } = await openSignedIn(t, on, '/links');
    await page.getByLabel('Sort').selectOption('Most clicks');
    const state = page.getByLabel('State');
    const row = page.locator('.link-row').filter({ hasText: 'lost-and-found' });
    await state.selectOption('deleted');
    await row.waitFor();
    t.equal(await row.locator('input, a').count(), 0);
    t.same(await row.getByRole('button').allInnerTexts(), ['Restore']);
    t.equal(await page.getByRole('button', { name: 'Export' }).count(), 0);
    t.equal(await page.getByLabel('Sort').inputValue(), 'newest', 'deleted links are sorted by newest');
    t.strictSame(await findings(page), []);
    await takePicture(page, 'dashboard-deleted-links');
    await row.getByRole('button', { name: /^Restore .*lost-and-found$/ }).click();
    await page.getByText(/lost-and-found was restored\./).waitFor();
    await row.waitFor({ state: 'detached' });
    await state.selectOption('');
    await row.getByRole('link').waitFor();
    t.notOk(await row.locator('.cell-maker').isVisible());
    await page.setViewportSize({ width: 1720, height: 900 });
    await page.getByText('Created by').waitFor();
    t.equal(await row.locator('.cell-maker').innerText(), 'test');
    await takePicture(page, 'dashboard-links-wide');
    await stack.rows("DELETE FROM links WHERE path = 'lost-and-found'");
    t.strictSame(complaints, []);
  },
};
