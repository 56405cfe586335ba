import { takePicture } from '../../support/browser.js';
import type { Tours } from './tours.js';
import { errorOf, findings, openSignedIn } from './visit.js';

export const resourceTypesTours: Tours = {
  'a type, its template and its metadata API, up to the card of an item': async (t, on) => {
    const { dashboardUrl, metadataApi } = on;
    const { page, complaints } = await openSignedIn(t, on, '/resource-types');
    await page.route('https://images.example/**', (route) =>
      route.fulfill({ contentType: 'image/svg+xml', body: '<svg xmlns="http://www.w3.org/2000/svg"/>' }),
    );
    await page.getByRole('button', { name: 'New type' }).first().click();
    await page.getByLabel('Name').fill('Product');
    await page.getByLabel('Key').fill('Product');
    await page.getByRole('button', { name: 'Create type' }).click();
    await errorOf(page, 'Key').waitFor();
    await page.getByLabel('Key').fill('product');
    await page.getByRole('button', { name: 'Create type' }).click();
    await page.getByRole('heading', { name: 'Product', level: 1 }).waitFor();
    await page.getByRole('link', { name: 'New template' }).click();
    await page.getByLabel('Path pattern').fill('/p/{id}');
    await page.getByText('go.demo.example/p/42').waitFor();
    await page.getByLabel('Web').fill('http://127.0.0.1/{type}/{id}');
    await page.getByLabel('Data', { exact: true }).fill('{"product": "{name}"}');
    await page.getByRole('button', { name: 'Create template' }).click();
    await errorOf(page, 'Data').waitFor();
    await page.getByLabel('Data', { exact: true }).fill('{"product": "{id}"}');
    await page.getByRole('button', { name: 'Create template' }).click();
    await page.getByRole('heading', { name: '/p/{id}', level: 1 }).waitFor();
    await page.getByText('ip_host').waitFor();
    await page.getByText('preview bots are redirected to it').waitFor();
    await page.getByRole('button', { name: 'Try it' }).click();
    await page.getByRole('list', { name: 'Rules that applied' }).waitFor();
    t.strictSame(await findings(page), []);

    await page.goto(`${dashboardUrl}#/resource-types`);
    await page.getByRole('link', { name: 'Product' }).click();
    await page.getByRole('link', { name: 'Set up the metadata API' }).click();
    await page.getByLabel('URL', { exact: true }).fill(`${metadataApi.origin}/items/`);
    await page.getByRole('button', { name: 'Save configuration' }).click();
    await errorOf(page, 'URL').waitFor();
    await page.getByLabel('URL', { exact: true }).fill(`${metadataApi.origin}/items/{id}`);
    await page.getByLabel('Authentication').selectOption('bearer');
    await page.getByLabel('Credential').fill('a-credential-of-the-customer');
    t.notMatch(
      await page.evaluate('JSON.stringify(Object.values(sessionStorage))'),
      /a-credential/,
      'a draft does not hold the credential',
    );
    const mapping = page.locator('.field-group', { has: page.getByRole('heading', { name: 'Mapping' }) });
    await mapping.getByLabel('Title').first().fill('product.name');
    await mapping.getByLabel('Image URL').first().fill('product.picture');
    await page.getByRole('button', { name: 'Save configuration' }).click();
    await page.getByLabel('Id of an item').fill('42');
    await page.getByRole('button', { name: 'Call the API' }).click();
    await page.getByText('"name": "Running shoe 42"').waitFor();
    const cards = page.locator('.card-gallery > li');
    t.equal(await cards.count(), 5);
    for (const card of await cards.all()) t.match(await card.textContent(), 'Running shoe 42');
    t.strictSame(await findings(page), []);
    await takePicture(page, 'dashboard-metadata-api');
    await page.getByLabel('Id of an item').fill('gone');
    await page.getByRole('button', { name: 'Call the API' }).click();
    await page.locator('.badge', { hasText: 'missing' }).waitFor();
    await mapping.getByLabel('Title').first().fill('product.text');
    await page.getByRole('button', { name: 'Save configuration' }).click();
    // The result of the test was that of the configuration before.
    await page.locator('.badge', { hasText: 'missing' }).waitFor({ state: 'detached' });
    t.strictSame(complaints, []);
  },
};
