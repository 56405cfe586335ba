import type { Page } from 'playwright-core';
import { until } from '../../support/until.js';
import type { Tours } from './tours.js';
import { errorOf, type OnStack, openParts, openSignedIn } from './visit.js';

/** Creates a domain of the environment that is verified. Resolves to its id. */
async function makeDomain({ stack }: OnStack, hostname: string): Promise<string> {
  const { body } = await stack.controlPlane.call<{ id: string }>(stack.project, 'POST', '/domains', { hostname });
  await stack.rows(`UPDATE domains SET status = 'verified' WHERE hostname = '${hostname}'`);
  return body.id;
}

const chosenIn = (page: Page, name: string) =>
  page.getByRole('combobox', { name, exact: true }).evaluate((field) => {
    const { selectedOptions } = field as unknown as { readonly selectedOptions: readonly { readonly textContent: string }[] };
    return selectedOptions[0]?.textContent ?? '';
  });

/** What is shown is what is in force, and what will be saved. */
export const shownValuesTours: Tours = {
  'the image of a card is loaded once its URL is typed, as it will be saved': async (t, on) => {
    const asked: string[] = [];
    const { page } = await openSignedIn(t, on, '/links/new', {
      before: async (page) => {
        await page.route(/^https:/, (route) => {
          asked.push(route.request().url());
          return route.fulfill({ contentType: 'image/svg+xml', body: '<svg xmlns="http://www.w3.org/2000/svg" width="2" height="1"/>' });
        });
        page.on('request', (request) => {
          if (request.resourceType() === 'image' && request.url().startsWith(on.dashboardUrl)) asked.push(request.url());
        });
      },
    });
    await openParts(page, 'Preview card');
    asked.length = 0;
    await page.getByLabel('Image', { exact: true }).pressSequentially('images.example/spring.png', { delay: 20 });
    await page.locator('.rail img[src="https://images.example/spring.png"]').waitFor();
    t.strictSame(asked, ['https://images.example/spring.png'], 'no host is asked whose name is a part of it, and not this server');
    await page.getByLabel('Image', { exact: true }).fill('spring');
    await page.locator('.rail img').waitFor({ state: 'detached' });
    t.equal(asked.length, 1);
  },

  'a link whose domain is changed is shown with its new URL, which is copied once it is saved': async (t, on) => {
    const { stack } = on;
    await makeDomain(on, 'first.example.com');
    await makeDomain(on, 'second.example.com');
    const body = { path: 'moved', domain: 'first.example.com', destinations: { web: 'https://shop.example/' } };
    const link = (await stack.controlPlane.call<{ id: string }>(stack.project, 'POST', '/links', body)).body;
    const { page, complaints } = await openSignedIn(t, on, `/links/${link.id}/edit`);
    const copy = page.getByRole('button', { name: 'Copy the short URL' });
    await page.getByRole('img', { name: /^QR code of first\.example\.com.*\/moved$/ }).waitFor();
    t.equal(await copy.count(), 1);
    await page.getByRole('combobox', { name: 'Domain' }).selectOption('second.example.com');
    await page.getByRole('img', { name: /^QR code of second\.example\.com.*\/moved$/ }).waitFor();
    t.equal(await copy.count(), 0, 'the old URL is not copied as the new one');
    await page.getByRole('combobox', { name: 'Domain' }).selectOption('first.example.com');
    await copy.waitFor();
    t.strictSame(complaints, []);
  },

  'a draft with a domain that was removed says so at its field': async (t, on) => {
    const { stack } = on;
    const id = await makeDomain(on, 'removed.example.com');
    const { page } = await openSignedIn(t, on, '/links/new');
    await page.getByLabel('Destination', { exact: true }).fill('https://shop.example/');
    await page.getByRole('combobox', { name: 'Domain' }).selectOption('removed.example.com');
    await stack.controlPlane.call(stack.project, 'DELETE', `/domains/${id}`);
    await page.reload();
    await page.getByText('Your unsent entries were restored.').waitFor();
    t.equal(await chosenIn(page, 'Domain'), 'removed.example.com');
    await page.getByRole('button', { name: 'Create link' }).click();
    await errorOf(page, 'Domain').waitFor();
  },

  'a list that is filtered by a tag stays so when the tag gets another name, and shows a filter that nothing passes': async (t, on) => {
    const { stack } = on;
    const body = { path: 'tagged-shoes', tags: ['before'], destinations: { web: 'https://shop.example/' } };
    await stack.controlPlane.call(stack.project, 'POST', '/links', body);
    const { page, complaints } = await openSignedIn(t, on, '/links/list/tag=before');
    const row = page.getByRole('row').filter({ hasText: 'tagged-shoes' });
    await row.waitFor();
    await page.getByRole('button', { name: 'Edit tags' }).click();
    await page.getByLabel('Name of before').fill('after');
    await page.getByRole('button', { name: 'Rename before' }).click();
    await page.getByText('The tag is now called after.').waitFor();
    await page.keyboard.press('Escape');
    await until(async () => (await chosenIn(page, 'Tag')) === 'after', 'the filter to have the new name of the tag');
    await row.waitFor();
    await page.getByRole('button', { name: 'Edit tags' }).click();
    await page.getByRole('button', { name: 'Delete after', exact: true }).click();
    await page.getByRole('button', { name: 'Delete tag' }).click();
    await until(async () => (await chosenIn(page, 'Tag')) === 'All', 'the filter by a deleted tag to go');
    await page.goto(`${on.dashboardUrl}#/links/list/tag=nobody-has-it`);
    await page.getByRole('heading', { name: 'No link matches' }).waitFor();
    t.equal(await chosenIn(page, 'Tag'), 'nobody-has-it');
    t.strictSame(complaints, []);
  },

  'a width that a QR code cannot have is marked, and is not kept for the next code': async (t, on) => {
    const { stack } = on;
    const link = (await stack.controlPlane.call<{ id: string }>(stack.project, 'POST', '/links', { path: 'too-wide' })).body;
    const { page } = await openSignedIn(t, on, `/links/${link.id}`);
    const width = page.getByLabel('Width of the download in pixels');
    for (const typed of ['', '9999']) {
      await page.getByRole('button', { name: 'QR code' }).click();
      await width.fill('600');
      await width.fill(typed);
      t.equal(await width.getAttribute('aria-invalid'), 'true', typed);
      await page.keyboard.press('Escape');
    }
    await page.getByRole('button', { name: 'QR code' }).click();
    t.equal(await width.inputValue(), '600');
    t.not(await width.getAttribute('aria-invalid'), 'true');
  },

  'the preview of the brand shows the first letter of its name as the pages do': async (t, on) => {
    await on.stack.controlPlane.call(on.stack.project, 'PATCH', '/environment', { brand: { logo: null } });
    const { page } = await openSignedIn(t, on, '/settings');
    const brand = page.locator('.field-group', { hasText: 'Support link' });
    for (const [name, initial] of [
      ['👩‍🚀 Space', '👩‍🚀'],
      ['🇩🇪 Shop', '🇩🇪'],
      ['e\u0301clair', 'E\u0301'],
    ] as const) {
      await brand.getByLabel('Name').fill(name);
      await until(async () => (await brand.locator('.phone-mark').first().textContent()) === initial, `${name} to be shown by ${initial}`);
    }
  },
};
