import { randomBytes } from 'node:crypto';
import type { Click } from '../../engine/spool/click.js';
import { newClick } from '../../engine/visit/click-record.js';
import { encodeUlid } from '../../shared/base/ids.js';
import { createDraw } from '../counting/visit-plan.js';

const LINKS = 100_000;
const DESKTOP = Array.from(
  { length: 120 },
  (_, version) => `Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/${version}.0.0.0 Safari/537.36`,
);
const PHONES = Array.from(
  { length: 120 },
  (_, version) =>
    `Mozilla/5.0 (iPhone; CPU iPhone OS ${version % 19}_${version % 7} like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/${version}.0 Mobile/15E148 Safari/604.1`,
);

/**
 * Generates clicks like those of visitors of many links, in one object that is filled again for each. `phoneShare` of
 * them come from phones, whose apps may ask for them.
 */
export function clickSource(environmentNumber: number, phoneShare: number): () => Click {
  const links = Array.from({ length: LINKS }, () => `lnk_${encodeUlid(randomBytes(16))}`);
  const address = new Uint8Array(4);
  let number = 0;
  const draw = createDraw(12_345);
  const click: Click = { ...newClick(), environment_number: environmentNumber, host: 'go.example.com', address_bytes: address };
  return () => {
    const link = draw(LINKS);
    const visitor = draw(0x1_0000_0000);
    click.occurred_at_ms = Date.now();
    click.subject_id = links[link] as string;
    click.path = `p${link}`;
    click.user_agent = (draw(1000) < phoneShare * 1000 ? PHONES : DESKTOP)[visitor % 120] as string;
    click.referrer = number % 3 === 0 ? '' : `https://news${visitor % 50}.example.com/story/${link}`;
    click.destination = `https://shop.example.com/product/${link}?utm_source=newsletter`;
    click.country = visitor % 7 === 0 ? 'FR' : 'DE';
    address[0] = visitor >>> 24;
    address[1] = visitor >>> 16;
    address[2] = visitor >>> 8;
    address[3] = visitor;
    number++;
    return click;
  };
}
