import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { takePicture } from '../../support/browser.js';
import { until } from '../../support/until.js';
import type { Tours } from './tours.js';
import { findings, openSignedIn, overflows } from './visit.js';

const fileOf = (lines: readonly string[], name = 'links.csv') => ({ name, mimeType: 'text/csv', buffer: Buffer.from(lines.join('\n')) });
const figure = (page: Page, label: string) => page.locator('.figure', { has: page.getByText(label, { exact: true }) }).locator('dd');

async function save(page: Page, name: string): Promise<string> {
  const [file] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name }).click()]);
  return readFile(await file.path(), 'utf8');
}

export const importsTours: Tours = {
  'an export of Bitly is checked, imported with a pause, a lost answer and a reload between, and reported': async (t, on) => {
    const { stack } = on;
    await stack.controlPlane.call(stack.project, 'POST', '/links', { path: 'bitly-taken' });
    const { page, complaints } = await openSignedIn(t, on, '/links/bulk');
    const file = page.getByLabel('Drop a file here');
    const where = page.getByRole('list').filter({ hasText: 'Hosts and collisions' }).locator('[aria-current=step]');
    await page.getByText('Rebrandly', { exact: true }).click();
    await page.getByText(/npx linkd import rebrandly --api-key-file key.txt --env env_/).waitFor();
    await file.setInputFiles(fileOf(['path,web', '"open']));
    await page.getByRole('alert').filter({ hasText: 'is not CSV' }).waitFor();
    t.strictSame(await findings(page), []);
    await takePicture(page, 'dashboard-import');

    // Chooses Bitly by keyboard alone.
    await page.getByLabel('CSV or NDJSON').focus();
    await page.keyboard.press('ArrowDown');
    t.ok(await page.getByLabel('Bitly', { exact: false }).first().isChecked());
    const good = Array.from({ length: 1100 }, (_, at) => `bit.ly/bitly-${at};https://shop.example/bitly/${at};red`);
    const bad = [
      'bit.ly/bitly-taken;https://shop.example/bitly/taken;',
      'bit.ly/bitly-7;https://shop.example/bitly/twice;',
      ';https://a.example;',
    ];
    await file.setInputFiles(fileOf(['Bitlink;Long URL;Colour', ...good, ...bad]));
    await page.getByLabel('bit.ly becomes').waitFor();
    t.equal(await page.getByLabel('bit.ly becomes').inputValue(), stack.project.linkHost);
    t.match(await where.textContent(), /Hosts/);
    t.strictSame(await findings(page), []);
    await takePicture(page, 'dashboard-import-hosts');
    await page.getByLabel('Skip it').check();
    await page.getByRole('button', { name: 'Check the file' }).focus();
    await page.keyboard.press('Enter');
    await page.getByText('1,100 links can be created. 1,100 would be imported without some').waitFor();
    t.equal(await figure(page, 'Path is taken').textContent(), '2', 'one path is taken by a link and one by an earlier row');
    t.equal(await figure(page, 'Cannot be created').textContent(), '1');
    await page.getByRole('listitem').filter({ hasText: 'colour 1,100 rows' }).waitFor();
    await page.getByRole('row').filter({ hasText: 'Row 8 of the file has the same address.' }).waitFor();
    t.strictSame(await findings(page), []);
    const made = "SELECT count(*)::integer AS made FROM links WHERE destinations->>'web' LIKE '%/bitly/%'";
    t.strictSame(await stack.rows(made), [{ made: 0 }], 'a dry run creates no link');
    await page.setViewportSize({ width: 390, height: 844 });
    await until(async () => !(await overflows(page)), 'the page to fit on a phone');
    await takePicture(page, 'dashboard-import-checked-phone');
    await page.setViewportSize({ width: 1280, height: 900 });

    // The answer to the first call is lost. The third call is held until the import has been paused.
    let calls = 0;
    let release = (): void => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.route('**/v1/imports/links', async (route) => {
      const response = await route.fetch();
      if (++calls === 1) return route.abort();
      if (calls === 3) await held;
      return route.fulfill({ response });
    });
    await page.getByRole('button', { name: 'Import 1,100 links' }).click();
    await page.getByText('500 of 1,103 rows').waitFor();
    t.equal(await figure(page, 'Created').textContent(), '500', 'a repeated call gets the first answer and creates nothing twice');
    await page.getByRole('button', { name: 'Pause' }).click();
    release();
    await page.getByText('Paused. Nothing is lost').waitFor();
    t.strictSame(await findings(page), []);
    await takePicture(page, 'dashboard-import-paused');
    await page.unroute('**/v1/imports/links');
    await page.reload();
    await page.getByText('1,000 of 1,103 rows').waitFor();
    await page.context().setOffline(true);
    await page.getByRole('button', { name: 'Resume' }).click();
    await page.getByRole('alert').filter({ hasText: 'You are offline. The import continues' }).waitFor();
    await page.context().setOffline(false);
    await page.getByText('1,100 links were created, 0 already existed, 3 were not created.').waitFor();
    t.strictSame(await stack.rows(made), [{ made: 1100 }]);
    await takePicture(page, 'dashboard-import-report');
    const csv = (await save(page, 'Report as CSV')).trimEnd().split('\r\n');
    t.equal(csv.length, 1104, 'the report has a header and a line for each row');
    t.match(csv[1], /^1,bit\.ly\/bitly-0,created,https?:\/\/[^,]*\/bitly-0,colour,$/);
    const ndjson = (await save(page, 'Report as NDJSON')).trimEnd().split('\n');
    t.match(JSON.parse(ndjson.at(-1) ?? ''), { row: 1103, outcome: 'failed', reason: /is the file an export of Bitly/ });

    // Importing the same file again creates nothing.
    await page.reload();
    await page.getByText('1,100 links were created').waitFor();
    await page.getByRole('button', { name: 'Import another file' }).click();
    await page.getByLabel('Bitly', { exact: false }).first().check();
    await file.setInputFiles(fileOf(['Bitlink;Long URL;Colour', ...good]));
    await page.getByRole('button', { name: 'Check the file' }).click();
    await page.getByText('No link can be created.').waitFor();
    t.equal(await figure(page, 'Already exists').textContent(), '1,100');
    await stack.rows("DELETE FROM links WHERE path LIKE 'bitly-%'");
    t.strictSame(
      complaints.filter((complaint) => !/imports\/links|ERR_INTERNET_DISCONNECTED|ERR_FAILED/.test(complaint)),
      [],
    );
  },

  'the check of a file says that links are created disabled if they would be open to more visitors': async (t, on) => {
    const { page, complaints } = await openSignedIn(t, on, '/links/bulk');
    const says = page.getByText('the link is created disabled');
    for (const [column, count] of [
      ['colour', 0],
      ['expires_at', 1],
    ] as const) {
      await page.getByLabel('Drop a file here').setInputFiles(fileOf([`path,web,${column}`, 'shut,https://shop.example/,soon']));
      await page.getByRole('button', { name: 'Check the file' }).click();
      await page
        .getByRole('listitem')
        .filter({ hasText: `${column} 1 row` })
        .waitFor();
      t.equal(await says.count(), count, column);
      await page.getByRole('button', { name: 'Choose another file' }).click();
    }
    t.strictSame(complaints, []);
  },

  'an import waits until the part of the page that reads files can be loaded again': async (t, on) => {
    const { page } = await openSignedIn(t, on, '/links/bulk');
    await page.getByLabel('Drop a file here').setInputFiles(fileOf(['path,web', 'waits,https://shop.example/']));
    await page.getByRole('button', { name: 'Check the file' }).click();
    await page.getByText('1 link can be created.').waitFor();
    await page.route('**/read-file.worker*', (route) => route.abort());
    await page.reload();
    await page.getByRole('alert').filter({ hasText: 'cannot be loaded' }).waitFor();
    await page.unroute('**/read-file.worker*');
    await page.reload();
    await page.getByText('1 link can be created.').waitFor();
    await page.getByRole('button', { name: 'Choose another file' }).click();
  },

  'a file whose later rows and aliases name more hosts asks for them once it was checked': async (t, on) => {
    const { stack } = on;
    const { page, complaints } = await openSignedIn(t, on, '/links/bulk');
    const rows = Array.from(
      { length: 520 },
      (_, at) => `hosts-${at},${at === 510 ? 'late.example' : ''},${at === 3 ? 'alias.example/hosts' : ''}`,
    );
    await page.getByLabel('Drop a file here').setInputFiles(fileOf(['path,domain,aliases', ...rows]));
    await page.getByLabel('alias.example becomes').waitFor();
    t.equal(await page.getByLabel('late.example becomes').count(), 0);
    const check = page.getByRole('button', { name: 'Check the file' });
    await check.click();
    await page.getByText('The file contains further hosts after its first rows.').waitFor();
    await page.getByLabel('late.example becomes').waitFor();
    t.strictSame(await findings(page), []);
    await check.click();
    await page.getByText('520 links can be created.').waitFor();
    await page.getByRole('button', { name: 'Choose another file' }).click();
    t.strictSame(await stack.rows("SELECT count(*)::integer AS made FROM links WHERE path LIKE 'hosts-%'"), [{ made: 0 }]);
    t.strictSame(complaints, []);
  },
};
