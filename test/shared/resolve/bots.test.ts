import t from 'tap';
import { isPrefetch, isPreviewBot, isProgram } from '../../../shared/resolve/bots.js';

t.test('a prefetch is recognised in each of its spellings', async (t) => {
  for (const purpose of ['prefetch', 'prefetch;prerender', 'Prefetch;anonymous-client-ip', 'prerender', 'preview'])
    t.ok(isPrefetch(purpose), purpose);
  for (const purpose of ['', 'navigate', 'document']) t.notOk(isPrefetch(purpose), purpose);
});

t.test('signs of a person do not hide signs of a bot', async (t) => {
  t.ok(isProgram('Mozilla/5.0 (Linux; Android 12) Instagram 333.0 (compatible; Googlebot/2.1)'));
  t.ok(isProgram('Mozilla/5.0 (iPhone) [Pinterest/iOS] HeadlessChrome/120'));
  t.ok(isPreviewBot('Mozilla/5.0 [Pinterest/iOS] Twitterbot/1.0'));
});

t.test('the names of apps and phones do not count as signs of a bot', async (t) => {
  const browser = 'Mozilla/5.0 (Linux; Android 12; X) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/120.0 Mobile Safari/537.36';
  for (const word of [
    '[Pinterest/Android]',
    'Instagram 333.0.0',
    'BingSapphire/28.3',
    'BingWeb/6.9',
    'baiduboxapp/13.33',
    'baidubrowser/7',
    'CUBOT',
    'Channel/googleplay',
  ]) {
    t.notOk(isPreviewBot(`${browser} ${word}`), word);
    t.notOk(isProgram(`${browser} ${word}`), word);
  }
});
