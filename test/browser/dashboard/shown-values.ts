import type { Tours } from './tours.js';
import { type OnStack, openParts, openSignedIn } from './visit.js';

/** Creates a domain of the environment that is verified. Resolves to its id. */
async function makeDomain({ stack }: OnStack, hostname: string): Promise<string> {
  const { body } = await stack.controlPlane.call<{ id: string }>(stack.project, 'POST', '/domains', { hostname });
  await stack.rows(`UPDATE domains SET status = 'verified' WHERE hostname = '${hostname}'`);
  return body.id;
}

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
};
