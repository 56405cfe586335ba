import type { Page } from 'playwright-core';
import { takePicture } from '../../support/browser.js';
import { until } from '../../support/until.js';
import type { Tours } from './tours.js';
import { errorOf, findings, openParts, openSignedIn, overflows } from './visit.js';

/** Chooses an action in the menu of a domain, by keyboard. */
async function chooseFor(page: Page, hostname: string, action: string): Promise<void> {
  await page.getByRole('button', { name: `More for ${hostname}` }).press('Enter');
  const items = page.getByRole('menuitem');
  await items.first().and(page.locator(':focus')).waitFor();
  const names = await items.allInnerTexts();
  for (let place = 0; place < names.indexOf(action); place++) await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
}

export const campaignsTours: Tours = {
  'a link can be given any of many campaigns': async (t, on) => {
    const make = (number: number) =>
      on.stack.controlPlane.call(on.stack.project, 'POST', '/campaigns', { key: `many-${number}`, name: `Many ${number}` });
    for (let number = 0; number < 110; number++) await make(number);
    const { page, complaints } = await openSignedIn(t, on, '/links/new');
    await openParts(page, 'Campaign and UTM');
    const field = page.getByRole('combobox', { name: 'Campaign' });
    const options = page.getByRole('option');
    const isOpen = () => field.getAttribute('aria-expanded');
    await field.click();
    await options.filter({ hasText: 'Many 109 (many-109)' }).waitFor();
    t.equal(await options.count(), 26, 'the list offers the 25 newest campaigns and no campaign');
    await page.getByText('There are more. Type a part of the name or key.').waitFor();
    t.strictSame(await findings(page), []);
    // Two campaigns match, because 100 contains 10 too.
    await field.fill('ANY 10');
    await until(async () => (await options.allTextContents()).join().includes('(many-10)'), 'the campaigns that match the text');
    t.same(
      await options.allTextContents(),
      [109, 108, 107, 106, 105, 104, 103, 102, 101, 100, 10].map((n) => `Many ${n} (many-${n})`),
    );
    await page.keyboard.press('ArrowUp');
    const active = await field.getAttribute('aria-activedescendant');
    t.equal(await page.locator(`[id="${active}"]`).textContent(), 'Many 10 (many-10)', 'ArrowUp moves from the first option to the last');
    await page.keyboard.press('Enter');
    t.equal(await field.inputValue(), 'Many 10 (many-10)');
    t.equal(await isOpen(), 'false');
    await field.press('ArrowDown');
    await field.fill('nothing of the kind');
    await page.getByText('Nothing matches').waitFor();
    await page.keyboard.press('Escape');
    t.equal(await field.inputValue(), 'Many 10 (many-10)', 'text without a match does not change the choice');
    await field.press('ArrowDown');
    await options.filter({ hasText: 'None' }).click();
    t.equal(await field.inputValue(), 'None');
    const phone = (await openSignedIn(t, on, '/links', { viewport: { width: 390, height: 844 } })).page;
    await phone.getByRole('combobox', { name: 'Campaign' }).click();
    await phone.locator('.combobox-option').nth(3).waitFor();
    t.notOk(await overflows(phone));
    t.strictSame(await on.stack.rows("DELETE FROM campaigns WHERE key LIKE 'many-%'"), []);
    t.strictSame(complaints, []);
  },

  'a first link on a domain that could not be tested is made, and only the test is said to have failed': async (t, on) => {
    const { controlPlane, project } = on.stack;
    const { body: domain } = await controlPlane.call<{ id: string }>(project, 'POST', '/domains', { hostname: 'tested.example.com' });
    const { page } = await openSignedIn(t, on, '/domains');
    const problem = { type: 'about:blank', title: 'Service unavailable', status: 503, code: 'service_unavailable', detail: 'In a moment.' };
    await page.route('**/v1/domains/*/connection', (route) => route.fulfill({ status: 503, json: problem }));
    await page.route('**/v1/links/test', (route) => route.fulfill({ status: 503, json: problem }));
    await page.getByRole('button', { name: 'Set up tested.example.com' }).click();
    const wizard = page.getByRole('dialog');
    await on.stack.rows("UPDATE domains SET status = 'verified' WHERE hostname = 'tested.example.com'");
    await wizard.getByRole('button', { name: 'Continue' }).click({ timeout: 20_000 });
    await wizard.getByRole('button', { name: 'Continue' }).click();
    await wizard.getByLabel('Destination').fill('https://shop.example/');
    await wizard.getByRole('button', { name: 'Create the link' }).click();
    await wizard.getByText('In a moment.').waitFor();
    await wizard.getByRole('link', { name: 'Open it like a visitor' }).waitFor();
    t.equal(await page.locator('.toast-bad').count(), 0);
    t.equal(
      await page.evaluate("Object.keys(sessionStorage).filter((key) => key.startsWith('draft')).length"),
      0,
      'nothing is left unsent',
    );
    await controlPlane.call(project, 'DELETE', `/domains/${domain.id}`);
  },

  'a campaign whose end has passed becomes active again with another end, which is asked for beside its field': async (t, on) => {
    const { controlPlane, project } = on.stack;
    const body = { key: 'over', name: 'Over', ends_at: new Date(Date.now() + 3_600_000).toISOString() };
    const { id } = (await controlPlane.call<{ id: string }>(project, 'POST', '/campaigns', body)).body;
    await on.stack.rows(`UPDATE campaigns SET ends_at = now() - interval '1 minute' WHERE id = '${id}'`);
    const { page, complaints } = await openSignedIn(t, on, `/campaigns/${id}`);
    await page.getByRole('button', { name: 'Reactivate' }).press('Enter');
    await page.getByText('To make it active again, enter a later time or none, and save.').waitFor();
    await page.getByLabel('Ends').and(page.locator(':focus')).waitFor();
    await page.keyboard.press('Enter');
    await errorOf(page, 'Ends').filter({ hasText: 'Must be later than now, or empty.' }).waitFor();
    await page.getByLabel('Starts').fill('2090-02-01T10:00');
    await page.getByLabel('Ends').fill('2090-01-01T10:00');
    await page.keyboard.press('Enter');
    await errorOf(page, 'Ends').filter({ hasText: 'Must be later than the start.' }).waitFor();
    await page.getByLabel('Starts').fill('');
    await page.getByLabel('Ends').fill('');
    await page.keyboard.press('Enter');
    await page.locator('.page-title .badge', { hasText: 'active' }).waitFor();
    await on.stack.rows(`DELETE FROM campaigns WHERE id = '${id}'`);
    t.strictSame(complaints, []);
  },

  'campaigns, custom domains, and what is wrong with them at its field': async (t, on) => {
    const { dashboardUrl } = on;
    const { page, complaints } = await openSignedIn(t, on, '/campaigns');
    await page.getByRole('heading', { name: 'Start a campaign' }).waitFor();
    await page.getByRole('link', { name: 'New campaign' }).first().click();
    await page.getByRole('button', { name: 'Create campaign' }).click();
    await errorOf(page, 'Name').waitFor();
    await errorOf(page, 'Key').waitFor();
    await page.getByLabel('Name').fill('Spring sale');
    await page.getByLabel('Key').fill('spring');
    await page.getByLabel('Source').fill('newsletter');
    await page.getByLabel('Starts').fill('2030-02-01T00:00');
    await page.getByLabel('Ends').fill('2030-01-01T00:00');
    await page.getByRole('button', { name: 'Create campaign' }).click();
    await errorOf(page, 'Ends').waitFor();
    await page.getByLabel('Ends').fill('2030-03-01T00:00');
    await page.getByRole('button', { name: 'Create campaign' }).click();
    await page.getByRole('heading', { name: 'Spring sale', level: 1 }).waitFor();
    await page.getByText('No links yet').waitFor();
    await takePicture(page, 'dashboard-campaign');
    await page.getByRole('button', { name: 'End campaign' }).click();
    await page.locator('.badge', { hasText: 'ended' }).waitFor();

    // The filter is a part of the address, and the back link keeps it.
    await page.goto(`${dashboardUrl}#/campaigns`);
    await page.getByRole('button', { name: 'Active' }).click();
    await page.getByRole('heading', { name: 'No campaign found' }).waitFor();
    await page.getByRole('button', { name: 'Ended' }).click();
    await page.reload();
    await page.getByRole('link', { name: 'Spring sale' }).click();
    await page.locator('.back').click();
    await page.getByRole('link', { name: 'Spring sale' }).waitFor();
    t.match(page.url(), /#\/campaigns\/list\/status=ended$/);
    await page.goBack();
    await page.goBack();
    await page.goBack();
    await page.getByRole('heading', { name: 'No campaign found' }).waitFor();

    await page.goto(`${dashboardUrl}#/domains`);
    await page.getByRole('button', { name: 'Add domain' }).first().click();
    await page.getByLabel('Host name').fill('https://links.example.com/');
    await page.getByRole('dialog').getByRole('button', { name: 'Add domain' }).click();
    await errorOf(page, 'Host name').waitFor();
    await page.getByLabel('Host name').fill('links.example.com');
    await page.getByRole('dialog').getByRole('button', { name: 'Add domain' }).click();
    await page.getByRole('dialog').getByText('_link-verification.links.example.com').waitFor();
    t.strictSame(await findings(page), []);
    await page.getByRole('button', { name: 'Later' }).click();
    await page.getByText('_link-verification.links.example.com').waitFor();
    await chooseFor(page, 'links.example.com', 'Pages');
    await page.getByLabel('Start page').fill('javascript:alert(1)');
    await page.getByRole('button', { name: 'Save changes' }).click();
    await errorOf(page, 'Start page').waitFor();
    await page.getByLabel('Start page').fill('shop.example/home');
    await page.getByLabel('Ignore case').check();
    await page.getByText('differ in case only').waitFor();
    t.strictSame(await findings(page), []);
    await page.getByRole('button', { name: 'Save changes' }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await chooseFor(page, 'links.example.com', 'Pages');
    // The list is read again after a change. A form without entries is updated with it.
    await until(
      async () => (await page.getByLabel('Start page').inputValue()) === 'https://shop.example/home',
      'the form to show the saved start page',
    );
    t.equal(await page.getByLabel('Ignore case').isChecked(), true);
    await page.keyboard.press('Escape');
    await chooseFor(page, 'links.example.com', 'Connection');
    // The DNS query is real, and may take long to find nothing.
    await page.getByRole('heading', { name: 'DNS record to set' }).waitFor({ timeout: 20_000 });
    await page.getByText('no response').waitFor();
    await page.getByText('The host has no address yet.').waitFor();
    t.strictSame(await findings(page), []);
    await takePicture(page, 'dashboard-domain-connection');
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Set up links.example.com' }).click();
    const wizard = page.getByRole('dialog');
    // Simulates the DNS record, which the service finds by itself.
    await on.stack.rows("UPDATE domains SET status = 'verified' WHERE hostname = 'links.example.com' RETURNING id");
    await wizard.getByText('links.example.com is yours').waitFor({ timeout: 20_000 });
    await wizard.getByRole('button', { name: 'Continue' }).click();
    await wizard.getByText('does not lead to this service yet').waitFor({ timeout: 20_000 });
    await wizard.getByRole('button', { name: 'Continue' }).click();
    await wizard.getByRole('button', { name: 'Create the link' }).click();
    await errorOf(page, 'Destination').waitFor();
    await wizard.getByLabel('Destination').fill('shop.example/spring');
    await wizard.getByRole('button', { name: 'Create the link' }).click();
    await wizard.getByText('HTTP 302').waitFor();
    await wizard.getByText('https://shop.example/spring', { exact: true }).first().waitFor();
    t.match(await wizard.getByRole('link', { name: 'Open it like a visitor' }).getAttribute('href'), /^https?:\/\/links\.example\.com[:/]/);
    t.strictSame(await findings(page), []);
    await wizard.getByRole('button', { name: 'Done' }).click();
    await chooseFor(page, 'links.example.com', 'Remove');
    await page.getByRole('button', { name: 'Remove domain' }).click();
    await page.getByRole('heading', { name: 'Use your own host' }).waitFor();
    t.strictSame(complaints, []);
  },
};
