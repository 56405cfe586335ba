import type { Page, Route } from 'playwright-core';
import { until } from '../../support/until.js';
import { makeKey, revokeKey } from './stack.js';
import type { Tours } from './tours.js';
import { errorOf, hold, type OnStack, openParts, openSignedIn, signIn } from './visit.js';

/** Creates a link of the live environment over the API. Returns its id. */
async function aLink({ stack }: OnStack, path: string): Promise<string> {
  const { body } = await stack.controlPlane.call<{ id: string }>(stack.project, 'POST', '/links', { path });
  return body.id;
}

/** A refusal, in the form in which the API sends it. */
function refusal(detail: string) {
  const problem = { type: 'about:blank', title: 'Conflict', status: 409, code: 'conflict', detail };
  return { status: 409, contentType: 'application/problem+json', body: JSON.stringify(problem) };
}

export const failureTours: Tours = {
  'a link is switched at once, and back where the server refuses': async (t, on) => {
    const id = await aLink(on, 'switched');
    const { page } = await openSignedIn(t, on, `/links/${id}`);
    const badge = page.locator('.page-title .badge');
    const letGo = await hold(page, `**/v1/links/${id}`, 'PATCH');
    await page.getByRole('button', { name: 'Disable' }).click();
    await badge.filter({ hasText: 'disabled' }).waitFor();
    await letGo((route) => route.fulfill(refusal('The link is being looked at.')));
    await badge.filter({ hasText: 'active' }).waitFor();
    await page.getByText('The link is being looked at.').waitFor();
  },

  'a change of several links goes on while another list is shown, and says what it could not take back': async (t, on) => {
    await aLink(on, 'several-one');
    await aLink(on, 'several-two');
    const { page } = await openSignedIn(t, on, '/links');
    await page.getByRole('searchbox').fill('several-');
    for (const name of ['one', 'two']) await page.getByRole('checkbox', { name: new RegExp(`/several-${name}$`) }).check();
    const held: Route[] = [];
    await page.route('**/v1/links/*', (route) => (route.request().method() === 'PATCH' ? void held.push(route) : route.fallback()));
    await page.getByRole('group', { name: 'Chosen links' }).getByRole('button', { name: 'Disable' }).click();
    await page.getByRole('searchbox').fill('no such link');
    await page.getByRole('heading', { name: 'No link matches' }).waitFor();
    for (const route of held) await route.continue();
    await page.unroute('**/v1/links/*');
    await page.getByText('2 links are disabled.').waitFor();
    await on.stack.rows("DELETE FROM links WHERE path LIKE 'several-%'");
    await page.getByRole('button', { name: 'Undo', exact: true }).click();
    await page.locator('.toast-bad', { hasText: '2 links are not as before: ' }).waitFor();
  },

  'a change that is refused after its screen was left is told on the next one': async (t, on) => {
    const body = { key: 'left-behind', name: 'Left behind' };
    const { body: campaign } = await on.stack.controlPlane.call<{ id: string }>(on.stack.project, 'POST', '/campaigns', body);
    const { page } = await openSignedIn(t, on, `/campaigns/${campaign.id}`);
    const letGo = await hold(page, `**/v1/campaigns/${campaign.id}`, 'PATCH');
    await page.getByRole('button', { name: 'End campaign' }).click();
    await page.getByRole('link', { name: 'Webhooks' }).click();
    await page.getByRole('heading', { name: 'Webhooks', level: 1 }).waitFor();
    await letGo((route) => route.fulfill(refusal('The campaign is being looked at.')));
    await page.getByText('The campaign is being looked at.').waitFor();
    await on.stack.rows("DELETE FROM campaigns WHERE key = 'left-behind'");
  },

  'a question that is asked again does not repeat why it failed before': async (t, on) => {
    const id = await aLink(on, 'asked-again');
    const { page } = await openSignedIn(t, on, `/links/${id}`);
    const dialog = page.getByRole('dialog');
    const refuse = () => page.route(`**/v1/links/${id}`, (route) => route.fulfill(refusal('The link is being looked at.')), { times: 1 });
    await page.getByRole('button', { name: 'Delete' }).click();
    await refuse();
    await dialog.getByRole('button', { name: 'Delete link' }).click();
    await dialog.getByText('The link is being looked at.').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Delete' }).click();
    await dialog.getByRole('button', { name: 'Delete link' }).waitFor();
    t.equal(await dialog.getByText('The link is being looked at.').count(), 0);
    await refuse();
    await dialog.getByRole('button', { name: 'Delete link' }).click();
    await dialog.getByText('The link is being looked at.').waitFor();
  },

  'what fails after its dialog was closed is told by a message': async (t, on) => {
    const id = await aLink(on, 'closed-early');
    const { page } = await openSignedIn(t, on, `/links/${id}`);
    await page.getByRole('button', { name: 'Delete' }).click();
    const letGo = await hold(page, `**/v1/links/${id}`, 'DELETE');
    await page.getByRole('dialog').getByRole('button', { name: 'Delete link' }).click();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await letGo((route) => route.fulfill(refusal('The link is being looked at.')));
    await page.locator('.toast-bad').getByText('The link is being looked at.').waitFor();

    await page.goto(`${on.dashboardUrl}#/analytics`);
    await page.getByRole('button', { name: 'Save view' }).click();
    await page.getByRole('dialog').getByLabel('Name').fill('Closed early');
    const letGoView = await hold(page, '**/v1/views', 'POST');
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await letGoView((route) => route.fulfill(refusal('There are too many views.')));
    await page.locator('.toast-bad').getByText('There are too many views.').waitFor();
  },

  'what could not be read is not taken for nothing': async (t, on) => {
    const { controlPlane, project } = on.stack;
    const make = async (path: string, body: object) => (await controlPlane.call<{ id: string }>(project, 'POST', path, body)).body.id;
    const type = await make('/resource-types', { key: 'unread', name: 'Unread' });
    const template = await make('/url-templates', {
      resource_type_id: type,
      path_pattern: '/unread/{id}',
      id_format: { kind: 'preset', preset: 'numeric' },
      deep_link_path: '/unread/{id}',
    });
    const webhook = await make('/webhooks', { url: `${on.receiver.origin}/unread`, events: ['link.created'] });
    const problem = { type: 'about:blank', title: 'Internal error', status: 500, code: 'internal_error', detail: 'Something broke.' };
    const fail = { status: 500, json: problem };
    const { page } = await openSignedIn(t, on, `/url-templates/${template}`, {
      before: async (page) => {
        await page.route('**/v1/resource-types/*/metadata-api', (route) => route.fulfill(fail));
        await page.route('**/v1/webhooks/*/deliveries?from=*', (route) => route.fulfill(fail));
        await page.route('**/v1/links?search=*', (route) => route.fulfill(fail));
      },
    });
    await page.locator('.card', { hasText: 'Preview card' }).getByText('Something broke.').waitFor();
    await page.goto(`${on.dashboardUrl}#/webhooks/${webhook}`);
    await page.locator('.card', { hasText: 'Health' }).getByText('Something broke.').waitFor();
    await page.keyboard.press('ControlOrMeta+k');
    await page.keyboard.type('no command is called so');
    await page.getByRole('status').filter({ hasText: 'Something broke.' }).waitFor();
    t.equal(await page.getByText('Nothing matches').count(), 0);
    await controlPlane.call(project, 'DELETE', `/webhooks/${webhook}`);
  },

  'what is typed while a form is being saved stays, and is saved next': async (t, on) => {
    const { page } = await openSignedIn(t, on, '/settings');
    const [minutes, origins] = [page.getByLabel('Attribution window (minutes)'), page.getByLabel('Web origins')];
    const save = page.getByRole('button', { name: 'Save settings' });
    await minutes.fill('61');
    const letGo = await hold(page, '**/v1/environment', 'PATCH');
    await save.click();
    await origins.fill('https://typed.example.com');
    const readAgain = page.waitForResponse(
      (response) => /\/v1\/environment$/.test(response.url()) && response.request().method() === 'GET',
    );
    await letGo((route) => route.continue());
    await page.unroute('**/v1/environment');
    await page.getByText('The settings were changed').waitFor();
    await readAgain;
    t.same([await minutes.inputValue(), await origins.inputValue()], ['61', 'https://typed.example.com']);
    await save.click();
    const settings = async () =>
      (await on.stack.controlPlane.call<{ web_origins: string[] }>(on.stack.project, 'GET', '/environment')).body;
    await until(async () => (await settings()).web_origins.includes('https://typed.example.com'), 'the typed origin to be saved');
    t.match(await settings(), { attribution_window_minutes: 61 });
    t.same([await minutes.inputValue(), await origins.inputValue()], ['61', 'https://typed.example.com']);

    // What was saved before is typed again while something else is saved.
    await page.reload();
    await minutes.fill('62');
    const letGoAgain = await hold(page, '**/v1/environment', 'PATCH');
    await save.click();
    await minutes.fill('61');
    const readOnceMore = page.waitForResponse(
      (response) => /\/v1\/environment$/.test(response.url()) && response.request().method() === 'GET',
    );
    await letGoAgain((route) => route.continue());
    await page.unroute('**/v1/environment');
    await readOnceMore;
    await page.getByRole('button', { name: 'Save settings', disabled: false }).waitFor();
    t.equal(await minutes.inputValue(), '61');
    await save.click();
    await until(async () => !(await page.getByRole('button', { name: 'Cancel' }).isVisible()), 'the entry to be saved');
    t.match(await settings(), { attribution_window_minutes: 61 });
  },

  'a switch says what it did': async (t, on) => {
    const id = await aLink(on, 'told');
    const { page } = await openSignedIn(t, on, `/links/${id}`);
    await page.getByRole('button', { name: 'Disable' }).click();
    await page.getByText('told is disabled').waitFor();
    await page.getByRole('button', { name: 'Enable' }).click();
    await page.getByText('told works again').waitFor();
  },

  'of two who change one object neither undoes the work of the other': async (t, on) => {
    const id = await aLink(on, 'shared');
    const change = async (body: object) => {
      const { status } = await on.stack.controlPlane.call(on.stack.project, 'PATCH', `/links/${id}`, body);
      t.equal(status, 200);
    };
    const saved = async () => {
      const { body } = await on.stack.controlPlane.call<Record<string, unknown>>(on.stack.project, 'GET', `/links/${id}`);
      return [body.deep_link_path, body.comments, body.utm_source];
    };
    const { page } = await openSignedIn(t, on, `/links/${id}/edit`);
    const save = () => page.getByRole('button', { name: 'Save changes' }).click();
    const deepLinkPath = page.getByLabel('Deep link path');
    await openParts(page, 'App data');
    await deepLinkPath.fill('/mine');
    await change({ comments: 'theirs' });
    await save();
    await page.getByRole('heading', { name: 'shared', exact: true }).waitFor();
    t.strictSame(await saved(), ['/mine', 'theirs', null], 'fields that only one side changed are merged');

    await page.getByRole('link', { name: 'Edit' }).click();
    await openParts(page, 'App data', 'Campaign and UTM');
    await deepLinkPath.fill('/mine-again');
    await page.getByLabel('Source').fill('mine');
    await change({ deep_link_path: '/theirs', utm_source: 'theirs' });
    await save();
    await page.getByRole('alert').filter({ hasText: 'been changed elsewhere' }).waitFor();
    await page.getByLabel('Source').and(page.locator(':focus')).waitFor();
    t.strictSame(await saved(), ['/theirs', 'theirs', 'theirs'], 'nothing is saved while both sides changed a field');
    t.equal(await deepLinkPath.inputValue(), '/mine-again');
    await page.getByText('Now saved: /theirs').waitFor();
    await page.locator('.field-theirs', { hasText: 'Now saved: theirs' }).getByRole('button', { name: 'Use it' }).click();
    t.equal(await page.getByLabel('Source').inputValue(), 'theirs');
    await save();
    await page.getByRole('heading', { name: 'shared', exact: true }).waitFor();
    t.strictSame(await saved(), ['/mine-again', 'theirs', 'theirs'], 'the resolved values are saved');

    await page.getByRole('link', { name: 'Edit' }).click();
    await deepLinkPath.fill('/draft');
    await change({ comments: 'later', deep_link_path: '/later' });
    await page.reload();
    await page.getByText('Now saved: /later').waitFor();
    t.equal(await page.getByLabel('Comments').inputValue(), 'later', 'a draft holds only the typed fields');
    t.equal(await deepLinkPath.inputValue(), '/draft');
  },

  'what was changed elsewhere is not deleted, switched or renamed unseen': async (t, on) => {
    const id = await aLink(on, 'unseen');
    const api = async (method: string, path: string, body?: object) => {
      const { status } = await on.stack.controlPlane.call(on.stack.project, method, path, body);
      t.ok(status < 300, `${method} ${path}: ${status}`);
    };
    const exists = async () => (await on.stack.controlPlane.call(on.stack.project, 'GET', `/links/${id}`)).status === 200;
    const { page } = await openSignedIn(t, on, `/links/${id}`);
    await page.getByRole('button', { name: 'Disable' }).waitFor();
    await api('PATCH', `/links/${id}`, { comments: 'changed meanwhile', tags: ['unseen'] });
    await page.getByRole('button', { name: 'Disable' }).click();
    await page.locator('.toast-bad').waitFor();
    await page.getByRole('definition').filter({ hasText: 'changed meanwhile' }).waitFor();
    await page.locator('.page-title .badge', { hasText: 'active' }).waitFor();

    await page.getByRole('button', { name: 'Delete' }).click();
    await api('PATCH', `/links/${id}`, { comments: 'changed once more' });
    const confirm = page.getByRole('dialog').getByRole('button', { name: 'Delete link' });
    await confirm.click();
    await page.getByRole('dialog').getByRole('alert').filter({ hasText: /./ }).waitFor();
    t.ok(await exists(), 'a link that was changed elsewhere is not deleted');
    await page.getByRole('definition').filter({ hasText: 'changed once more' }).waitFor();

    // A tag, which is shown only in a list.
    await page.goto(`${on.dashboardUrl}#/links`);
    await page.getByRole('button', { name: 'Edit tags' }).click();
    await page.getByRole('textbox', { name: 'Name of unseen' }).fill('mine');
    const [{ id: tag }] = (await on.stack.rows<{ id: string }>("SELECT id FROM tags WHERE name = 'unseen'")) as [{ id: string }];
    await api('PATCH', `/tags/${tag}`, { name: 'theirs' });
    await page.getByRole('button', { name: 'Rename unseen' }).click();
    await page.getByRole('alert').filter({ hasText: 'changed elsewhere' }).waitFor();
    await page.getByRole('textbox', { name: 'Name of theirs' }).waitFor();
    t.ok(await exists());
  },

  'the first configuration of a metadata API does not replace one that was saved meanwhile': async (t, on) => {
    const { body: type } = await on.stack.controlPlane.call<{ id: string }>(on.stack.project, 'POST', '/resource-types', {
      key: 'first_configuration',
      name: 'First configuration',
    });
    const { page } = await openSignedIn(t, on, `/resource-types/${type.id}/metadata-api`);
    const url = page.getByLabel('URL', { exact: true });
    await url.fill(`${on.metadataApi.origin}/mine/{id}`);
    const path = `/resource-types/${type.id}/metadata-api`;
    const theirs = { url_template: `${on.metadataApi.origin}/theirs/{id}`, field_mapping: { title: 'product.name' } };
    t.ok((await on.stack.controlPlane.call(on.stack.project, 'PUT', path, theirs)).status < 300);
    await page.getByRole('button', { name: 'Save configuration' }).click();
    await page.getByRole('alert').filter({ hasText: 'been changed elsewhere' }).waitFor();
    await page.getByText(`Now saved: ${theirs.url_template}`).waitFor();
    const saved = async () => (await on.stack.controlPlane.call<{ url_template: string }>(on.stack.project, 'GET', path)).body.url_template;
    t.equal(await saved(), theirs.url_template);
  },

  'a key that may only read is offered nothing else, and a form says why': async (t, on) => {
    const id = await aLink(on, 'read-only');
    const { page, complaints } = await openSignedIn(t, on, `/links/${id}`);
    await page.getByRole('button', { name: 'Disable' }).waitFor();
    const scopes = async (list: string, answers: number) => {
      await on.stack.rows('UPDATE api_keys SET scopes = $2 WHERE hash = sha256($1::bytea)', [on.keys.live, list]);
      const status = async () => (await on.stack.controlPlane.call(on.stack.project, 'GET', '/webhooks')).status === answers;
      await until(status, `the key to have the scopes ${list}`);
    };
    t.teardown(() => scopes('{links:read,links:write,analytics:read,webhooks:write}', 200));
    await scopes('{links:read,analytics:read}', 403);
    await page.reload();
    await page.getByRole('heading', { name: 'read-only', level: 1 }).waitFor();
    const offered = () => page.locator('.page-actions').locator('button, a').allInnerTexts();
    t.same(await offered(), ['Analytics', 'QR code']);
    await page.goto(`${on.dashboardUrl}#/links`);
    await page.getByRole('heading', { name: 'Links', level: 1 }).waitFor();
    t.same(await offered(), ['Export']);
    t.equal(await page.getByRole('button', { name: 'Edit tags' }).count(), 0);
    await page.goto(`${on.dashboardUrl}#/domains`);
    await page.locator('.empty, .rows').first().waitFor();
    t.same(await page.getByRole('button', { name: /Add domain|Check now|Set up|Remove/ }).allInnerTexts(), []);
    await page.goto(`${on.dashboardUrl}#/links/${id}/edit`);
    await page.getByText('it lacks the scope links:write').waitFor();
    t.equal(await page.getByRole('button', { name: 'Save changes' }).isDisabled(), true);
    t.strictSame(complaints, []);
  },

  'what was deleted is not shown as if it were there, whether here, in another tab, or to the reader of a shared view': async (t, on) => {
    const { controlPlane, project } = on.stack;
    const make = async <Body>(path: string, body: object) =>
      (await controlPlane.call<Body & { id: string }>(project, 'POST', path, body)).body;
    const id = await aLink(on, 'gone-here');
    const { page, complaints } = await openSignedIn(t, on, `/links/${id}`);
    const notFound = page.getByRole('heading', { name: 'Not found' });
    await page.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete link' }).click();
    await page.getByText('gone-here was deleted').waitFor();
    await page.getByRole('heading', { level: 1, name: 'Links' }).waitFor();
    await page.goBack();
    await notFound.waitFor();
    t.equal(await page.getByRole('button', { name: 'Disable' }).count(), 0);
    // The link is there again, and its page with it.
    await page.getByRole('button', { name: 'Undo', exact: true }).click();
    await page.getByRole('button', { name: 'Disable' }).waitFor();

    /** Reads again what is shown, as when the user returns to the window after a while. */
    const readAgain = async (tab: Page) => {
      await tab.clock.fastForward(11_000);
      await tab.evaluate("dispatchEvent(new Event('visibilitychange'))");
    };
    await page.clock.install();
    const webhook = await make('/webhooks', { url: `${on.receiver.origin}/gone`, events: ['link.created'] });
    for (const path of [`/links/${id}`, `/links/${id}/edit`, `/webhooks/${webhook.id}`, `/webhooks/${webhook.id}/edit`]) {
      await page.goto(`${on.dashboardUrl}#${path}`);
      await page.getByRole('heading', { level: 1 }).waitFor();
      await page.locator('[aria-busy=true]').waitFor({ state: 'detached' });
    }
    for (const path of [`/links/${id}`, `/webhooks/${webhook.id}`]) t.equal((await controlPlane.call(project, 'DELETE', path)).status, 204);
    await readAgain(page);
    await notFound.waitFor();
    for (const path of [`/links/${id}`, `/links/${id}/edit`, `/webhooks/${webhook.id}`]) {
      await page.goto(`${on.dashboardUrl}#${path}`);
      await notFound.waitFor();
    }

    const view = await make('/views', { name: 'Gone', range: 'last_7_days' });
    const share = await make<{ path: string }>(`/views/${view.id}/share`, {});
    const reader = await page.context().newPage();
    await reader.clock.install();
    await reader.goto(`${on.origin}/${share.path}`);
    await reader.getByRole('heading', { name: 'Gone', level: 1 }).waitFor();
    t.equal((await controlPlane.call(project, 'DELETE', `/views/${view.id}/share`)).status, 204);
    await readAgain(reader);
    await reader.getByText('This link does not work').waitFor();
    t.strictSame(complaints, []);
  },

  'what does not exist says so, and leads back to its list': async (t, on) => {
    const { page } = await openSignedIn(t, on, '/links/lnk_01jd0000000000000000000000');
    await page.getByRole('heading', { name: 'Not found' }).waitFor();
    t.equal(await page.getByRole('button', { name: 'Try again' }).count(), 0);
    await page.getByRole('link', { name: 'Back to the list' }).click();
    await page.getByRole('heading', { name: 'Links', level: 1 }).waitFor();
    await page.goto(`${on.dashboardUrl}#/nowhere`);
    await page.locator('.empty', { hasText: 'This screen does not exist' }).getByRole('link', { name: 'Open the overview' }).click();
    await page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor();
  },

  'on a phone the menu closes by Escape, and the focus goes back to its button': async (t, on) => {
    const { page } = await openSignedIn(t, on, '/links', { viewport: { width: 390, height: 800 } });
    await page.getByRole('heading', { name: 'Links', level: 1 }).waitFor();
    const menu = page.getByRole('button', { name: 'Menu' });
    await menu.click();
    await page.locator('[aria-label=Menu][aria-expanded=true]').waitFor();
    await page.keyboard.press('Escape');
    await page.locator('[aria-label=Menu][aria-expanded=false]:focus').waitFor();
    t.equal(await menu.getAttribute('aria-expanded'), 'false');
  },

  'forced colours show what is chosen': async (t, on) => {
    const { page } = await openSignedIn(t, on, '/links', { forcedColors: 'active' });
    const backgroundOf = (selector: string) => page.evaluate(`getComputedStyle(document.querySelector('${selector}')).backgroundColor`);
    await page.getByRole('heading', { name: 'Links', level: 1 }).waitFor();
    t.not(await backgroundOf('.nav-link[aria-current="page"]'), await backgroundOf('.nav-link:not([aria-current])'));
    const pressed = '.environment-switch button[aria-pressed';
    t.not(await backgroundOf(`${pressed}="true"]`), await backgroundOf(`${pressed}="false"]`));
    const styleOf = (property: string, selector: string) =>
      page.evaluate(`getComputedStyle(document.querySelector('${selector}')).${property}`);
    const differ = async (property: string, chosen: string, other: string) =>
      t.not(await styleOf(property, chosen), await styleOf(property, other), `${property} of ${chosen}`);

    for (const name of ['one', 'two']) await aLink(on, `forced-${name}`);
    await page.getByRole('searchbox').fill('forced-');
    await page.getByRole('checkbox', { name: /forced-one$/ }).check();
    await differ('outlineStyle', '.link-row-chosen', '.link-row:not(.link-row-chosen)');
    await page.keyboard.press('ControlOrMeta+k');
    await page.locator('.palette-option[aria-selected="true"]').waitFor();
    await differ('backgroundColor', '.palette-option[aria-selected="true"]', '.palette-option[aria-selected="false"]');
    await page.keyboard.press('Escape');

    await page.goto(`${on.dashboardUrl}#/analytics`);
    await page.getByRole('tab', { selected: true }).first().waitFor();
    await differ('backgroundColor', '.tabs [aria-selected="true"]', '.tabs [aria-selected="false"]');
    await differ('backgroundColor', 'main .segments [aria-pressed="true"]', 'main .segments [aria-pressed="false"]');
    await page.getByRole('button', { name: /^All clicks/ }).waitFor();
    await differ('borderBottomColor', '.measure[aria-pressed="true"]', '.measure[aria-pressed="false"]');

    await page.goto(`${on.dashboardUrl}#/`);
    await page.locator('.figure .key').first().waitFor();
    await differ('backgroundColor', '.figure:first-child .key', '.figure:last-child .key');

    await page.goto(`${on.dashboardUrl}#/links/new`);
    await page.getByLabel('Path', { exact: true }).waitFor();
    await openParts(page, 'Comments');
    await page.getByLabel('Comments').fill('something');
    await page.locator('.part-chip-set').waitFor();
    await differ('backgroundColor', '.part-chip-set', '.part-chip:not(.part-chip-set)');
    await openParts(page, 'App data');
    await differ('borderTopStyle', '.part-chip[aria-expanded="true"]:not(.part-chip-set)', '.part-chip[aria-expanded="false"]');

    await page.goto(`${on.dashboardUrl}#/links/bulk`);
    await page.locator('.import-source:has(input:checked)').waitFor();
    await differ('borderTopColor', '.import-source:has(input:checked)', '.import-source:not(:has(input:checked))');
  },

  'what cannot be saved says so at once, is not sent later, and takes nobody away': async (t, on) => {
    const id = await aLink(on, 'offline');
    const { page } = await openSignedIn(t, on, `/links/${id}/edit`);
    await openParts(page, 'Comments');
    await page.getByLabel('Comments').fill('written without a network');
    await page.context().setOffline(true);
    await page.getByText('You are offline.').waitFor();
    await page.getByRole('button', { name: 'Save changes' }).click();
    await page.getByRole('alert').filter({ hasText: 'does not respond' }).waitFor();
    await page.context().setOffline(false);
    await page.getByText('You are offline.').waitFor({ state: 'detached' });
    const comments = async () => (await on.stack.rows<{ comments: string }>(`SELECT comments FROM links WHERE id = '${id}'`))[0]?.comments;
    t.equal(await comments(), null, 'a failed request is not repeated without a click');

    const letGo = await hold(page, `**/v1/links/${id}`, 'PATCH');
    await page.getByRole('button', { name: 'Save changes' }).click();
    await page.getByRole('link', { name: 'Campaigns' }).click();
    await page.getByRole('heading', { name: /campaign/i, level: 1 }).waitFor();
    await letGo((route) => route.continue());
    await page.getByText('The link was changed.').waitFor();
    t.match(page.url(), /#\/campaigns$/, 'a late answer does not change the screen');
    t.equal(await comments(), 'written without a network');
  },

  'a refused form moves the focus to its first wrong field, and typing in another one leaves it there': async (t, on) => {
    const { page } = await openSignedIn(t, on, '/links/new');
    await openParts(page, 'App data', 'Aliases', 'Name and tags');
    await page.getByLabel('Deep link path').fill('sale');
    await page.getByRole('textbox', { name: 'Aliases' }).fill('elsewhere.example/sale');
    await page.getByRole('textbox', { name: 'Tags' }).fill(`sale, ${'a'.repeat(65)}`);
    await page.getByRole('button', { name: 'Create link' }).click();
    await page.getByLabel('Deep link path').and(page.locator(':focus')).waitFor();
    await page.keyboard.press('Home');
    for (const letter of '/new-') await page.keyboard.press(letter);
    t.equal(await page.getByLabel('Deep link path').inputValue(), '/new-sale', 'the other wrong fields do not take the focus');
    t.match(await errorOf(page, 'Aliases').textContent(), /^Entry 1 \(host\): is neither/);
    t.match(await errorOf(page, 'Tags').textContent(), /^Entry 2: must have at most 64/);
  },

  'a screen that fails says so, and the console of the browser says why': async (t, on) => {
    const { page, complaints } = await openSignedIn(t, on, '/webhooks');
    await page.getByRole('heading', { name: 'Webhooks', level: 1 }).waitFor();
    await page.route('**/v1/campaigns*', (route) => route.fulfill({ json: { data: [{ id: 'campaign_1' }], next_cursor: null } }));
    await page.getByRole('link', { name: 'Campaigns' }).click();
    await page.getByRole('alert').filter({ hasText: 'This screen cannot be shown' }).waitFor();
    await until(() => complaints.some((complaint) => /TypeError|RangeError/.test(complaint)), 'the exception to be reported');
  },

  'a screen that could not be loaded offline says so, and is there once the network is': async (t, on) => {
    const { page } = await openSignedIn(t, on, '/campaigns');
    await page.getByRole('heading', { name: /campaign/i, level: 1 }).waitFor();
    await page.context().setOffline(true);
    await page.getByRole('link', { name: 'Settings' }).click();
    const alert = page.getByRole('alert').filter({ hasText: 'This screen cannot be shown' });
    await alert.filter({ hasText: 'You are offline.' }).waitFor();
    await page.context().setOffline(false);
    await page.getByRole('heading', { name: 'Settings', level: 1 }).waitFor();
    t.equal(await alert.count(), 0);

    // The style sheet fails to load, while the script loads.
    await page.route('**/*.css', (route) => route.abort());
    await page.getByRole('link', { name: 'Links', exact: true }).click();
    await alert.waitFor();
    await page.unroute('**/*.css');
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('heading', { name: 'Links', level: 1 }).waitFor();
    const isStyled = `[...document.styleSheets].some(({ cssRules }) => [...cssRules].some(({ cssText }) => cssText.includes('link-table')))`;
    t.ok(await page.evaluate(isStyled), 'the styles of the screen are loaded');
  },

  'a link whose answer was lost is made once, however often it is sent': async (t, on) => {
    const { page } = await openSignedIn(t, on, '/links/new');
    await page.getByLabel('Path', { exact: true }).fill('lost-answer');
    const letGo = await hold(page, '**/v1/links', 'POST');
    await page.getByRole('button', { name: 'Create link' }).click();
    await letGo(async (route) => {
      await route.fetch();
      await route.abort();
    });
    await page.getByRole('alert').filter({ hasText: 'does not respond' }).waitFor();
    t.equal(await page.getByLabel('Path', { exact: true }).inputValue(), 'lost-answer');
    await page.unroute('**/v1/links');
    // The first request is still running.
    const letGoAgain = await hold(page, '**/v1/links', 'POST');
    await page.getByRole('button', { name: 'Create link' }).click();
    await letGoAgain((route) => route.fulfill(refusal('The first request is still running.')));
    await page.getByRole('alert').filter({ hasText: 'still running' }).waitFor();
    await page.unroute('**/v1/links');
    await page.getByRole('button', { name: 'Create link' }).click();
    await page.getByRole('heading', { name: 'lost-answer', level: 1 }).waitFor();
    t.strictSame(await on.stack.rows("SELECT count(*)::integer AS made FROM links WHERE path = 'lost-answer'"), [{ made: 1 }]);
  },

  'a key that is revoked during a save is asked for again, and what was typed waits for the next one': async (t, on) => {
    const id = await aLink(on, 'typed-before');
    const key = await makeKey(on.stack, 'live');
    const { page } = await openSignedIn(t, { ...on, keys: { ...on.keys, live: key } }, `/links/${id}/edit`);
    await openParts(page, 'Comments');
    await page.getByLabel('Comments').fill('typed with the old key');
    await revokeKey(on, key);
    await page.getByRole('button', { name: 'Save changes' }).click();
    await page.getByText('Your entries are kept.').waitFor();
    await page.reload();
    await page.getByText('Your entries are kept.').waitFor();
    await signIn(page, on.keys.live);
    await page.getByText('Your unsent entries were restored.').waitFor();
    t.equal(await page.getByLabel('Comments').inputValue(), 'typed with the old key');
    await page.getByRole('button', { name: 'Save changes' }).click();
    await page.getByRole('definition').filter({ hasText: 'typed with the old key' }).waitFor();

    // A sign-out removes the draft, so that no later reader finds it.
    await page.getByRole('link', { name: 'Edit' }).click();
    await page.getByLabel('Comments').fill('not for others');
    const drafts = () => page.evaluate("Object.keys(sessionStorage).filter((key) => key.startsWith('draft')).length");
    t.equal(await drafts(), 1);
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByLabel('Secret key').waitFor();
    t.equal(await drafts(), 0);
  },

  'what is typed during a save is not kept after a sign-out': async (t, on) => {
    const { page, complaints } = await openSignedIn(t, on, '/settings');
    await page.getByLabel('Attribution window (minutes)').fill('63');
    const letGo = await hold(page, '**/v1/environment', 'PATCH');
    await page.getByRole('button', { name: 'Save settings' }).click();
    await page.getByLabel('Web origins').fill('https://not-for-others.example.com');
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByLabel('Secret key').waitFor();
    const answered = page.waitForResponse((response) => response.request().method() === 'PATCH');
    await letGo((route) => route.continue());
    await (await answered).finished();
    // The page has received the response, and has drawn what it makes of it.
    await page.evaluate('new Promise((resolve) => setTimeout(resolve, 200))');
    t.equal(await page.evaluate('sessionStorage.length'), 0);
    t.strictSame(complaints, []);
  },

  'an offer to undo stays while it is pointed at, has the focus, or other messages come': async (t, on) => {
    await aLink(on, 'undone-one');
    await aLink(on, 'undone-two');
    const { page } = await openSignedIn(t, on, '/links');
    await page.clock.install();
    await page.getByRole('searchbox').fill('undone-');
    const bar = page.getByRole('group', { name: 'Chosen links' });
    for (const name of ['one', 'two']) {
      await page.getByRole('checkbox', { name: new RegExp(`/undone-${name}$`) }).check();
      await bar.getByRole('button', { name: 'Disable' }).click();
      await page
        .locator('.link-row', { hasText: `undone-${name}` })
        .getByText('disabled')
        .waitFor();
      await bar.waitFor({ state: 'detached' });
    }
    const toasts = page.locator('.toast');
    t.equal(await toasts.count(), 2, 'both messages with Undo are shown');
    const undo = toasts.first().getByRole('button', { name: 'Undo', exact: true });
    await undo.hover();
    await page.clock.runFor(100);
    await page.clock.fastForward(60_000);
    t.equal(await toasts.count(), 2, 'messages stay while the pointer is over them');
    await undo.focus();
    await page.mouse.move(0, 0);
    await page.clock.runFor(100);
    await page.clock.fastForward(60_000);
    t.equal(await toasts.count(), 2, 'messages stay while they have the focus');
    await page.keyboard.press('Enter');
    await page.getByText('1 link is as before.').waitFor();
    await page.locator('.link-row', { hasText: 'undone-one' }).getByText('active').waitFor();
    await page.clock.fastForward(16_000);
    await toasts.first().waitFor({ state: 'detached' });
    await on.stack.rows("DELETE FROM links WHERE path LIKE 'undone-%'");
  },

  'no answer, no permission and a revoked key are each said, with what to do': async (t, on) => {
    const key = await makeKey(on.stack, 'live');
    const own = { ...on, keys: { ...on.keys, live: key } };
    const { page } = await openSignedIn(t, own, '/webhooks');
    await page.getByRole('heading', { name: 'Webhooks', level: 1 }).waitFor();
    await page.clock.install();
    await page.route('**/v1/campaigns*', (route) => route.abort());
    await page.getByRole('link', { name: 'Campaigns' }).click();
    // Three attempts, with growing delays.
    const unreachable = page.getByRole('heading', { name: 'The server cannot be reached' });
    while (!(await unreachable.isVisible())) await page.clock.fastForward(5_000);
    await page.unroute('**/v1/campaigns*');
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('link', { name: 'New campaign' }).first().waitFor();
    await unreachable.waitFor({ state: 'detached' });

    await on.stack.rows(`UPDATE api_keys SET scopes = '{links:read}' WHERE hash = sha256($1::bytea)`, [key]);
    const isForbidden = async () =>
      (await fetch(`${on.origin}/v1/webhooks`, { headers: { authorization: `Bearer ${key}` } })).status === 403;
    await until(isForbidden, 'the server, which remembers keys for half a second, to notice the scopes');
    await page.goto(`${on.dashboardUrl}#/webhooks`);
    await page.reload();
    await page.getByRole('heading', { name: 'The key is not allowed to see this' }).waitFor();
    const { page: working } = await openSignedIn(t, own, '/links');
    await working.getByRole('heading', { name: 'Links', level: 1 }).waitFor();
    await revokeKey(on, key);
    // Opens a screen with the key that was valid a moment ago.
    await working.getByRole('link', { name: 'Campaigns' }).click();
    await working.getByText('The key of the live environment no longer works.').waitFor();
    await working.getByLabel('Secret key').waitFor();
    await page.reload();
    await page.getByText('The key of the live environment no longer works.').waitFor();
    await page.getByLabel('Secret key').waitFor();
    t.equal(await page.evaluate('sessionStorage.session'), undefined);
  },
};
