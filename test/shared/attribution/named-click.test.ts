import t from 'tap';
import { clipboardClickId, referrerClickId } from '../../../shared/attribution/named-click.js';
import { newId } from '../../../shared/base/ids.js';
import { withPlayReferrer } from '../../../shared/resolve/play-referrer.js';

const ID = newId('click');
const OTHER = newId('click');

t.test('the referrer of an install names the click that was passed to the store, in every form of escaping', async (t) => {
  for (const destination of [
    'https://play.google.com/store/apps/details?id=a',
    'https://play.google.com/store/apps/details?id=a&referrer=utm_source%3Dx',
    `https://play.google.com/store/apps/details?id=a&referrer=click_id%3D${OTHER}`,
  ]) {
    const raw = new URL(withPlayReferrer(destination, ID)).search;
    const decoded = new URLSearchParams(raw).get('referrer') as string;
    t.equal(referrerClickId(decoded), ID, decoded);
    if (!destination.includes('utm')) t.equal(referrerClickId(encodeURIComponent(decoded)), ID, 'escaped once more');
  }
  for (const referrer of ['', 'utm_source=google-play&utm_medium=organic', 'click_id=', 'click_id=lnk_1', `click_id=${ID}x`, '%', '%3d%'])
    t.equal(referrerClickId(referrer), null, referrer);
});

t.test('the text of a clipboard names a click by its id or by a URL with that id', async (t) => {
  for (const text of [ID, ` ${ID}\n`, `https://go.example.com/x?click_id=${ID}&ref=1`, `acme://open?a=1&click_id=${ID}`])
    t.equal(clipboardClickId(text), ID);
  for (const text of ['', 'milk, eggs', `${ID} ${ID}`, 'https://go.example.com/x', 'https://go.example.com/x?click_id=1'])
    t.equal(clipboardClickId(text), null, text);
});
