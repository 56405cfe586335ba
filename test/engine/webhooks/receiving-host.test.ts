import t from 'tap';
import { receivingHost } from '../../../engine/webhooks/receiving-host.js';

t.test('a host is the same in any spelling, and another port makes another host', async (t) => {
  for (const url of [
    'https://hooks.example.com/a',
    'https://HOOKS.example.com:443/b?c',
    'https://hooks.example.com./..'.replace('./..', '/'),
  ])
    t.equal(receivingHost(url), 'hooks.example.com', url);
  t.equal(receivingHost('https://bücher.example/'), receivingHost('https://xn--bcher-kva.example/'));
  t.equal(receivingHost('https://hooks.example.com:8443/'), 'hooks.example.com:8443');
  t.equal(receivingHost('no url'), 'no url');
});
