import type { Tours } from './tours.js';
import { hold, openSignedIn } from './visit.js';

export const screenReaderTours: Tours = {
  'a button that is busy or can do nothing keeps the focus, and does nothing': async (t, on) => {
    await on.stack.controlPlane.call(on.stack.project, 'POST', '/links', { path: 'kept-focus', tags: ['kept'] });
    const { page, complaints } = await openSignedIn(t, on, '/links');
    await page.getByRole('button', { name: 'Edit tags' }).press('Enter');
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name of kept').fill('still kept');
    let sent = 0;
    const answer = await hold(page, '**/v1/tags/*', 'PATCH');
    page.on('request', (request) => {
      if (request.method() === 'PATCH') sent++;
    });
    await dialog.getByRole('button', { name: 'Rename kept' }).press('Enter');
    const busy = dialog.locator('button[aria-busy=true]:focus');
    await busy.waitFor();
    for (const key of ['Enter', 'Space']) await busy.press(key);
    await dialog.getByLabel('Name of kept').press('Enter');
    await dialog.getByRole('button', { name: 'Rename kept' }).focus();
    await answer((route) => route.continue());
    await dialog.getByRole('button', { name: 'Rename still kept' }).and(page.locator('[aria-disabled=true]:focus')).waitFor();
    t.equal(sent, 1);
    t.strictSame(complaints, []);
  },
};
