import t from 'tap';
import { isReferrerParameter, withPlayReferrer } from '../../../shared/resolve/play-referrer.js';

const ID = 'clk_01jd0000000000000000000000';

t.test('the click id is added to the referrer, beside a value that the destination sets', async (t) => {
  for (const [url, expected] of [
    ['https://play.google.com/store/apps/details?id=a', `https://play.google.com/store/apps/details?id=a&referrer=click_id%3D${ID}`],
    ['https://play.google.com/store', `https://play.google.com/store?referrer=click_id%3D${ID}`],
    ['https://play.google.com/x?id=a#top', `https://play.google.com/x?id=a&referrer=click_id%3D${ID}#top`],
    ['market://details?id=a&referrer=utm_source%3Dx&hl=de', `market://details?id=a&referrer=utm_source%3Dx%26click_id%3D${ID}&hl=de`],
    ['https://play.google.com/x?referrer=', `https://play.google.com/x?referrer=click_id%3D${ID}`],
    ['https://play.google.com/x?ref%65rrer=a', `https://play.google.com/x?referrer=a%26click_id%3D${ID}`],
    ['https://play.google.com/x?', `https://play.google.com/x?referrer=click_id%3D${ID}`],
  ] as const)
    t.equal(withPlayReferrer(url, ID), expected);
});

t.test('a visitor can set every parameter except the referrer', async (t) => {
  t.same(['referrer', 'referer', 'Referrer', ''].map(isReferrerParameter), [true, false, false, false]);
});
