import type { Tours } from './tours.js';
import { errorOf, openSignedIn, seriousFindings } from './visit.js';

export const settingsTours: Tours = {
  'settings with apps: errors stand at the app they are about': async (t, on) => {
    const { stack } = on;
    const { page, complaints } = await openSignedIn(t, on, '/settings');
    for (const app of ['iOS app', 'iOS app', 'Android app']) await page.getByRole('button', { name: `Add ${app}` }).click();
    const apps = page.locator('.app-row');
    await apps.nth(0).getByLabel('Bundle id').fill('com.example.one');
    await apps.nth(0).getByLabel('Team id').fill('A1B2C3D4E5');
    await apps.nth(1).getByLabel('Bundle id').fill('com.example.two');
    await apps.nth(1).getByLabel('Team id').fill('short');
    await apps.nth(2).getByLabel('Package name').fill('com.example.shop');
    await apps.nth(2).getByLabel('fingerprints').fill('AA:BB');
    await page.getByLabel('Web origins').fill('https://www.example.com\nhttps://shop.example.com/path');
    await page.getByRole('button', { name: 'Save settings' }).click();
    await errorOf(apps.nth(1), 'Team id').waitFor();
    t.equal(await errorOf(apps.nth(0), 'Team id').count(), 0);
    await errorOf(apps.nth(2), /fingerprints/).waitFor();
    t.match(await errorOf(page, 'Web origins').textContent(), /^1: /);
    t.strictSame(await seriousFindings(page), []);
    await page.getByRole('button', { name: 'Remove iOS app 1' }).click();
    await apps.nth(0).getByLabel('Team id').fill('A1B2C3D4E5');
    await page.getByRole('button', { name: 'Remove Android app 1' }).click();
    await page.getByLabel('Web origins').fill('https://www.example.com');
    await page.getByRole('button', { name: 'Save settings' }).click();
    await page.getByText('The settings are changed').waitFor();
    const { body } = await stack.controlPlane.call<{ ios_apps: unknown; web_origins: unknown }>(stack.project, 'GET', '/environment');
    t.match(body, {
      ios_apps: [{ bundle_id: 'com.example.two', team_id: 'A1B2C3D4E5' }],
      android_apps: [],
      web_origins: ['https://www.example.com'],
    });
    t.strictSame(complaints, []);
  },
};
