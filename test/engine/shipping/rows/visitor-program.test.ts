import t from 'tap';
import { programOf } from '../../../../engine/shipping/rows/visitor-program.js';
import { recogniseVisitor, withClientHints } from '../../../../shared/resolve/recognise-visitor.js';

const IPHONE = 'Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko)';
const CHROMIUM = 'AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0';
const programIn = (userAgent: string) => programOf(userAgent, recogniseVisitor(userAgent));

t.test('a user agent names the system, the browser and its version', (t) => {
  for (const [userAgent, os, browser, version] of [
    [`${IPHONE} Version/17.5 Mobile/15E148 Safari/604.1`, 'iOS', 'Safari', '17'],
    [`${IPHONE} CriOS/126.0.6478.54 Mobile/15E148 Safari/604.1`, 'iOS', 'Chrome', '126'],
    [`${IPHONE} FxiOS/127.0 Mobile/15E148 Safari/605.1.15`, 'iOS', 'Firefox', '127'],
    [`${IPHONE} GSA/320.0.6 Mobile/15E148 Safari/604.1`, 'iOS', 'Google', '320'],
    [`${IPHONE} Mobile/15E148 Instagram 334.0.4.32.98 (iPhone14,5; iOS 17_5; de_DE)`, 'iOS', 'Instagram', '334'],
    [`Mozilla/5.0 (Linux; Android 10; K) ${CHROMIUM} Mobile Safari/537.36`, 'Android', 'Chrome', '126'],
    [
      `Mozilla/5.0 (Linux; Android 14; SM-S911B) AppleWebKit/537.36 (KHTML, like Gecko) SamsungBrowser/25.0 Chrome/121.0.0.0 Mobile Safari/537.36`,
      'Android',
      'Samsung Internet',
      '25',
    ],
    [`Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${CHROMIUM} Safari/537.36 Edg/126.0.0.0`, 'Windows', 'Edge', '126'],
    [
      'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Safari/605.1.15',
      'macOS',
      'Safari',
      '17',
    ],
    [`Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) ${CHROMIUM} Safari/537.36`, 'ChromeOS', 'Chrome', '126'],
    [`Mozilla/5.0 (X11; Linux x86_64) ${CHROMIUM} Safari/537.36`, 'Linux', 'Chrome', '126'],
    ['curl/8.5.0', '', '', ''],
    ['', '', '', ''],
    [`Mozilla/5.0 (X11; Linux x86_64) Chrome/${'9'.repeat(300)} Safari/537.36`, 'Linux', 'Chrome', ''],
  ] as const)
    t.same(programIn(userAgent), { os, browser, browser_version: version }, userAgent.slice(0, 90));
  t.end();
});

t.test('a client hint gives the system of a tablet that asks for the desktop site', (t) => {
  const tablet = `Mozilla/5.0 (X11; Linux x86_64) ${CHROMIUM} Safari/537.36`;
  t.equal(programOf(tablet, withClientHints(recogniseVisitor(tablet), 'android', '14')).os, 'Android');
  t.end();
});

t.test('made-up user agents of the greatest length take little time', (t) => {
  const pieces = ['iphone ', 'chrome/', 'edge', 'a1/1 ', 'a', '(', '; ', 'android ', 'version/', 'fb', '-', '1.'];
  const bounded = (piece: string): void => void programIn(piece.repeat(Math.ceil(1024 / piece.length)).slice(0, 1024));
  for (const piece of pieces) bounded(piece);
  const begun = performance.now();
  for (const piece of pieces) bounded(piece);
  // All of them take 3 ms here. Without the bound on what is parsed, one of them takes 27 ms.
  t.ok(performance.now() - begun < 20 * pieces.length);
  t.end();
});
