import { takePicture } from '../../support/browser.js';
import type { Tours } from './tours.js';
import { ANIMATED, errorOf, findings, openSignedIn } from './visit.js';

export const webhooksTours: Tours = {
  'an endpoint is made, shows its secret once, is tried, replayed, rotated and read': async (t, on) => {
    const { receiver } = on;
    const { page, complaints } = await openSignedIn(t, on, '/webhooks', ANIMATED);
    await page.getByRole('link', { name: 'Add endpoint' }).first().click();
    await page.getByLabel('URL').fill('http://10.0.0.1/');
    for (const type of ['link.created', 'link.updated', 'link.disabled', 'link.blocked']) await page.getByLabel(type).uncheck();
    await page.getByRole('button', { name: 'Add endpoint' }).click();
    await errorOf(page, 'URL').waitFor();
    await page.locator('fieldset.field .field-error:not(:empty)').waitFor();
    t.notOk(await page.getByLabel('click.created').isChecked(), 'click.created is not selected by default');
    t.strictSame(await findings(page), []);
    await page.getByLabel('URL').fill(`${receiver.origin}/broken`);
    await page.getByLabel('campaign.ended').check();
    await page.getByRole('button', { name: 'Add endpoint' }).click();
    const secret = await page.getByRole('dialog').locator('code').textContent();
    t.match(secret, /^whsec_/);
    await page.keyboard.press('Enter');
    t.ok(await page.getByRole('dialog').isVisible(), 'an Enter too many does not close what is shown only once');
    t.strictSame(await findings(page), []);
    await page.getByRole('button', { name: 'I have stored it' }).click();
    await page.getByText('Nothing has been sent yet').waitFor();
    t.notMatch(await page.content(), secret as string);

    receiver.trust(secret as string);
    await page.getByRole('button', { name: 'Send test' }).click();
    const deliveries = page.getByRole('list', { name: 'Deliveries' }).locator('.delivery');
    await deliveries.filter({ hasText: 'failed' }).first().locator('summary').click();
    await page.getByText('out of order').waitFor();
    await page.getByText('"test": true').waitFor();
    t.strictSame(await findings(page), []);
    await takePicture(page, 'dashboard-webhook');
    await page.getByRole('button', { name: 'Replay', exact: true }).click();
    await deliveries.nth(1).waitFor();
    await deliveries.locator('summary', { hasText: 'replay' }).waitFor();

    // New deliveries are held back while an entry is read.
    await deliveries.locator('summary').first().click();
    const shown = await deliveries.count();
    await page.getByRole('button', { name: 'Send test' }).click();
    await page.getByRole('button', { name: 'Show 1 new delivery' }).waitFor();
    t.equal(await deliveries.count(), shown, 'a new delivery does not change the list that is being read');
    await page.getByRole('button', { name: 'Show 1 new delivery' }).click();
    await deliveries.nth(shown).waitFor();
    await page.locator('.card', { hasText: 'Health' }).getByText('None of').waitFor();
    await page.getByRole('button', { name: 'Replay failed events' }).click();
    await page.getByRole('dialog').getByText('delivered since are left out').waitFor();
    t.strictSame(await findings(page), []);
    await page.getByRole('dialog').getByRole('button', { name: 'Replay', exact: true }).click();
    // Only samples have failed, which are left out.
    await page.getByText('There were no events to send again.').waitFor();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.getByLabel('State').selectOption('succeeded');
    await page.getByRole('heading', { name: 'No delivery matches' }).waitFor();
    await page.getByRole('button', { name: 'Clear the filters' }).click();

    await page.getByRole('button', { name: 'Rotate secret' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Rotate' }).click();
    const next = page
      .getByRole('dialog')
      .locator('code')
      .filter({ hasText: /^whsec_/ });
    await next.waitFor();
    t.not(await next.textContent(), secret);
    await page.getByRole('button', { name: 'I have stored it' }).click();
    await page.getByText('also signed with the old secret').waitFor();
    await page.getByRole('link', { name: 'Edit' }).click();
    await page.getByLabel('Description').fill('Warehouse');
    await page.getByRole('button', { name: 'Save changes' }).click();
    await page.getByText('Warehouse').waitFor();
    await page.getByRole('button', { name: 'Disable' }).click();
    await page.locator('.badge', { hasText: 'disabled' }).waitFor();
    t.strictSame(complaints, []);
  },

  'new deliveries wait above a log that somebody points at, and lists follow the state of the endpoint': async (t, on) => {
    const { controlPlane, project } = on.stack;
    const body = { url: `${on.receiver.origin}/pointed-at`, events: ['link.created'] };
    const { body: webhook } = await controlPlane.call<{ id: string; secret: string }>(project, 'POST', '/webhooks', body);
    on.receiver.trust(webhook.secret, '/pointed-at');
    const send = () => controlPlane.call(project, 'POST', `/webhooks/${webhook.id}/test`, {});
    await send();
    const { page } = await openSignedIn(t, on, `/webhooks/${webhook.id}`);
    const deliveries = page.getByRole('list', { name: 'Deliveries' }).locator('.delivery');
    await deliveries.first().hover();
    await send();
    const waiting = page.getByRole('button', { name: 'Show 1 new delivery' });
    await waiting.waitFor();
    t.equal(await deliveries.count(), 1);
    await page.getByRole('heading', { level: 1 }).hover();
    await waiting.waitFor({ state: 'detached' });
    await deliveries.nth(1).waitFor();

    const { page: list } = await openSignedIn(t, on, '/webhooks', { before: (page) => page.clock.install() });
    const row = list.locator('.row', { hasText: '/pointed-at' });
    await row.locator('.badge', { hasText: 'active' }).waitFor();
    await controlPlane.call(project, 'PATCH', `/webhooks/${webhook.id}`, { status: 'disabled' });
    await list.clock.fastForward(16_000);
    await row.locator('.badge', { hasText: 'disabled' }).waitFor();
    await controlPlane.call(project, 'DELETE', `/webhooks/${webhook.id}`);
  },

  'events that two readers choose at once are shown beside each other': async (t, on) => {
    const { controlPlane, project } = on.stack;
    const body = { url: `${on.receiver.origin}/chosen`, events: ['link.created'] };
    const { body: webhook } = await controlPlane.call<{ id: string }>(project, 'POST', '/webhooks', body);
    const { page } = await openSignedIn(t, on, `/webhooks/${webhook.id}/edit`);
    await page.getByLabel('link.updated').check();
    await controlPlane.call(project, 'PATCH', `/webhooks/${webhook.id}`, { events: ['link.created', 'link.disabled'] });
    await page.getByRole('button', { name: 'Save changes' }).click();
    const theirs = page.locator('.field-theirs', { hasText: 'Now saved: link.created, link.disabled' });
    await theirs.waitFor();
    t.ok(await page.getByLabel('link.updated').isChecked(), 'the event that was chosen in the form stays chosen');
    await theirs.getByRole('button', { name: 'Use it' }).click();
    await page.getByLabel('link.blocked').check();
    await page.getByRole('button', { name: 'Save changes' }).click();
    await page.getByText('The endpoint was changed.').waitFor();
    const { body: saved } = await controlPlane.call<{ events: string[] }>(project, 'GET', `/webhooks/${webhook.id}`);
    t.same([...saved.events].sort(), ['link.blocked', 'link.created', 'link.disabled']);
    await controlPlane.call(project, 'DELETE', `/webhooks/${webhook.id}`);
  },
};
