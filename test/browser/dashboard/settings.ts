import { until } from '../../support/until.js';
import type { Tours } from './tours.js';
import { errorOf, findings, openSignedIn } from './visit.js';

export const settingsTours: Tours = {
  'web destinations are told the click by a switch': async (t, on) => {
    const setting = async () =>
      (await on.stack.controlPlane.call<{ append_click_id: boolean }>(on.stack.project, 'GET', '/environment')).body.append_click_id;
    const before = await setting();
    const { page } = await openSignedIn(t, on, '/settings');
    const field = page.getByLabel('Send the click id to web destinations');
    t.equal(await field.isChecked(), before);
    for (const wanted of [!before, before]) {
      await field.setChecked(wanted);
      await page.getByRole('button', { name: 'Save settings' }).click();
      await until(async () => (await setting()) === wanted, 'the setting to be saved');
      // The page takes no other change to save before it has read the answer.
      await page.getByRole('button', { name: 'Cancel' }).waitFor({ state: 'hidden' });
    }
  },

  'the key of the session is shown with what it may do, and others are made by a command that is put together': async (t, on) => {
    const { page, complaints } = await openSignedIn(t, on, '/keys');
    const { body } = await on.stack.controlPlane.call<{ id: string }>(on.stack.project, 'GET', '/key');
    const { body: environment } = await on.stack.controlPlane.call<{ id: string }>(on.stack.project, 'GET', '/environment');
    await page.getByRole('definition').filter({ hasText: body.id }).waitFor();
    t.equal(await page.locator('.scope .badge', { hasText: 'granted' }).count(), 4);
    t.notMatch(await page.content(), on.keys.live, 'the key itself is not shown');
    await page.getByText(`linkd keys create --env ${environment.id} --name backend`, { exact: true }).waitFor();
    await page.getByLabel('Name').fill("Ann's laptop");
    await page.getByLabel('links:write').uncheck();
    const command = `linkd keys create --env ${environment.id} --name 'Ann'\\''s laptop' --scope links:read analytics:read webhooks:write`;
    await page.getByText(command, { exact: true }).waitFor();
    for (const scope of ['links:read', 'analytics:read', 'webhooks:write']) await page.getByLabel(scope).uncheck();
    await page.getByText('Choose at least one scope.').waitFor();
    t.equal(await page.getByText('linkd keys create').count(), 0, 'no command is shown without a scope, because it would grant all scopes');
    await page.getByRole('button', { name: 'Publishable' }).click();
    await page.getByText(`--name 'Ann'\\''s laptop' --kind publishable`).waitFor();
    t.strictSame(await findings(page), []);
    t.strictSame(complaints, []);
  },

  'the keys of the environment are listed with their last use, and each with the command that revokes it': async (t, on) => {
    const { stack } = on;
    const { body: own } = await stack.controlPlane.call<{ id: string; name: string }>(stack.project, 'GET', '/key');
    const { page, complaints } = await openSignedIn(t, on, '/keys');
    const table = page.getByRole('region', { name: 'Keys of this environment' });
    const row = table.getByRole('row').filter({ hasText: 'this session' });
    await row.waitFor();
    t.match(await row.textContent(), new RegExp(`${own.name}.*sk_live_…${on.keys.live.slice(-4)}.*Secret.*links:read`));
    await stack.rows(`UPDATE api_keys SET last_used_at = now() - interval '3 days' WHERE id = $1`, [own.id]);
    const id = 'key_01jd4v6xq8e5s0m3k7n9p2r4tw';
    await stack.rows(
      `INSERT INTO api_keys (id, environment_id, kind, name, scopes, hash, prefix, last4, revoked_at)
       SELECT $1::text, environment_id, 'publishable', 'old app', '{}', sha256('old app'), 'pk_live_', 'Zz9y', now() FROM api_keys WHERE id = $2`,
      [id, own.id],
    );
    await page.reload();
    await row.getByText('3 days ago').waitFor();
    t.equal(await table.getByText('old app').count(), 0);
    await row.getByRole('button', { name: `How to revoke ${own.name}` }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText(`linkd keys revoke ${own.id}`, { exact: true }).waitFor();
    await dialog.getByText('You are signed in with this key').waitFor();
    t.strictSame(await findings(page), []);
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Revoked' }).click();
    const old = table.getByRole('row').filter({ hasText: 'old app' });
    await old.getByText('never').waitFor();
    t.match(await old.textContent(), /pk_live_…Zz9y.*Publishable.*revoked/);
    t.equal(await old.getByRole('button').count(), 0);
    t.match(page.url(), /#\/keys\/list\/status=revoked$/);
    t.strictSame(await findings(page), []);
    await stack.rows('DELETE FROM api_keys WHERE id = $1', [id]);
    t.strictSame(complaints, []);
  },

  'settings with apps: errors stand at the app they are about': async (t, on) => {
    const { stack } = on;
    const { page, complaints } = await openSignedIn(t, on, '/settings');
    for (const app of ['iOS app', 'iOS app', 'Android app']) await page.getByRole('button', { name: `Add ${app}` }).click();
    const apps = page.locator('.app-row');
    await apps.nth(0).getByLabel('Bundle ID').fill('com.example.one');
    await apps.nth(0).getByLabel('Team ID').fill('A1B2C3D4E5');
    await apps.nth(1).getByLabel('Bundle ID').fill('com.example.two');
    await apps.nth(1).getByLabel('Team ID').fill('short');
    await apps.nth(2).getByLabel('Package name').fill('com.example.shop');
    await apps.nth(2).getByLabel('fingerprints').fill('AA:BB');
    await page.getByLabel('Web origins').fill('https://www.example.com\nhttps://shop.example.com/path');
    await page.getByRole('button', { name: 'Save settings' }).click();
    await errorOf(apps.nth(1), 'Team ID').waitFor();
    t.equal(await errorOf(apps.nth(0), 'Team ID').count(), 0);
    await errorOf(apps.nth(2), /fingerprints/).waitFor();
    t.match(await errorOf(page, 'Web origins').textContent(), /^Entry 2: /);
    t.strictSame(await findings(page), []);
    await page.getByRole('button', { name: 'Remove iOS app 1' }).click();
    await apps.nth(0).getByLabel('Team ID').fill('A1B2C3D4E5');
    await page.getByRole('button', { name: 'Remove Android app 1' }).click();
    await page.getByLabel('Web origins').fill('https://www.example.com');
    await stack.controlPlane.call(stack.project, 'POST', '/links', { path: 'long-links' });
    await page.getByLabel('Hosts they may lead to').fill('www.example.com\nm.example.com');
    await page.getByLabel('Counted for the link').fill('long-links');
    await page.getByRole('button', { name: 'Save settings' }).click();
    await page.getByText('The settings were changed').waitFor();
    const { body } = await stack.controlPlane.call<{ ios_apps: unknown; web_origins: unknown }>(stack.project, 'GET', '/environment');
    t.match(body, {
      ios_apps: [{ bundle_id: 'com.example.two', team_id: 'A1B2C3D4E5' }],
      android_apps: [],
      web_origins: ['https://www.example.com'],
      long_link_hosts: ['www.example.com', 'm.example.com'],
      long_link_path: 'long-links',
    });
    t.strictSame(complaints, []);
  },

  'an entry that is taken back leaves nothing to restore or to cancel': async (t, on) => {
    const { page, complaints } = await openSignedIn(t, on, '/settings');
    const origins = page.getByLabel('Web origins');
    const before = await origins.inputValue();
    const cancel = page.getByRole('button', { name: 'Cancel' });
    await origins.fill('https://taken-back.example');
    await cancel.waitFor();
    await origins.fill(before);
    await cancel.waitFor({ state: 'detached' });
    await page.reload();
    await origins.waitFor();
    t.equal(await page.getByText('Your unsent entries were restored.').count(), 0);
    t.strictSame(complaints, []);
  },

  'what is typed while a logo is converted stays, the last logo counts, and a removed one can be chosen again': async (t, on) => {
    const { page, complaints } = await openSignedIn(t, on, '/settings', {
      before: async (page) => {
        await page.addInitScript(`
          const decode = HTMLImageElement.prototype.decode;
          let first = new Promise((resolve) => { window.endFirst = resolve; });
          HTMLImageElement.prototype.decode = async function () {
            const before = first;
            first = undefined;
            await before;
            return decode.call(this);
          };`);
      },
    });
    const brand = page.locator('.field-group', { hasText: 'Support link' });
    const logo = (width: number) => ({
      name: `logo-${width}.svg`,
      mimeType: 'image/svg+xml',
      buffer: Buffer.from(
        `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="64"><rect width="${width}" height="64"/></svg>`,
      ),
    });
    const widthOfLogo = () => page.evaluate("document.querySelector('.phone-logo')?.naturalWidth");
    await brand.getByLabel('Logo').setInputFiles(logo(32));
    await brand.getByLabel('Name').fill('Typed meanwhile');
    await brand.getByLabel('Logo').setInputFiles(logo(96));
    await until(async () => (await widthOfLogo()) === 96, 'the second logo to be shown');
    await brand.getByLabel('Support link').fill('https://typed.example/');
    await page.evaluate('endFirst()');
    await page.evaluate('new Promise((resolve) => setTimeout(resolve, 200))');
    t.equal(await widthOfLogo(), 96, 'the logo that was chosen last stays');
    t.equal(await brand.getByLabel('Name').inputValue(), 'Typed meanwhile');
    t.equal(await brand.getByLabel('Support link').inputValue(), 'https://typed.example/');
    await brand.getByRole('button', { name: 'Remove the logo' }).click();
    await brand.locator('.phone-logo').first().waitFor({ state: 'detached' });
    const [chooser] = await Promise.all([page.waitForEvent('filechooser'), brand.getByLabel('Logo').click()]);
    t.equal(await page.evaluate("document.querySelector('input[type=file]').value"), '', 'the same file is a change for the browser');
    await chooser.setFiles(logo(96));
    await until(async () => (await widthOfLogo()) === 96, 'the same logo to be shown again');
    await page.getByRole('button', { name: 'Cancel' }).click();
    t.strictSame(complaints, []);
  },

  'a brand is seen on two phones before it is saved, and is on the pages of the link hosts afterwards': async (t, on) => {
    const { stack } = on;
    const { page, complaints } = await openSignedIn(t, on, '/settings');
    const brand = page.locator('.field-group', { hasText: 'Support link' });
    await brand.getByLabel('Name').fill('Acme');
    await brand.getByLabel('Colour', { exact: true }).fill('#ffcc00');
    await brand.getByText(/hard to read on the light page/).waitFor();
    await brand.getByLabel('Support link').fill('https://acme.example/help');
    const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="64" height="64"><rect width="64" height="64" fill="#ffcc00"/></svg>';
    await brand.getByLabel('Logo').setInputFiles({ name: 'logo.svg', mimeType: 'image/svg+xml', buffer: Buffer.from(svg) });
    await brand.locator('.phone-logo').first().waitFor();
    await brand.getByText('Continue in the Acme app').first().waitFor();
    await brand.getByRole('button', { name: 'Leads nowhere' }).click();
    await brand.getByText('Get help').first().waitFor();
    t.strictSame(await findings(page), []);
    await page.getByRole('button', { name: 'Save settings' }).click();
    await page.getByText('The settings were changed').waitFor();
    const { body } = await stack.controlPlane.call<{ brand: object }>(stack.project, 'GET', '/environment');
    t.match(body.brand, { name: 'Acme', color: '#ffcc00', support_url: 'https://acme.example/help', logo: /^iVBOR/ });
    t.strictSame(complaints, []);
  },
};
