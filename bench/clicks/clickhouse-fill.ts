import { DAY_MS } from '../../shared/base/instant.js';
import type { ClickHouse } from '../../shared/clickhouse/connection.js';
import { CAMPAIGNS, ITEMS, LINK, LINKS, LOG_DAYS, TEMPLATE, TYPE, USER_AGENTS } from './log-fill.js';

/** The bytes of a uuid of the kind with a number, as `FixedString(16)`. */
const uuid = (kind: number, number: string) =>
  `toFixedString(unhex(concat('${kind.toString(16).padStart(8, '0')}', leftPad(lower(hex(toUInt64(${number}))), 24, '0'))), 16)`;
/** A random number from 0 to 1. Each is drawn independently of those with other numbers. */
const draw = (number: number) => `rand(${number}) / 4294967296.0`;

/** As `DAY` of `log-fill.ts`. */
const DAY = `
  INSERT INTO clicks (id, occurred_at, environment_number, kind, subject_id, resource_type_id, item_id, host, path, platform, os_version, browser,
    bot, country, referrer_host, campaign, utm_source, destination, batch_id, user_agent_hash, address_hash, visitor_hash)
  SELECT toFixedString(randomString(16), 16), fromUnixTimestamp64Milli(toInt64({from:Int64} + intDiv({length:Int64} * n, {clicks:Int64})), 'UTC'),
    {environment:Int32}, if(is_item, 'template', 'link'),
    if(is_item, ${uuid(TEMPLATE, 'is_flat')}, ${uuid(LINK, `floor(${LINKS} * pow(place, 6))`)}),
    if(is_item, ${uuid(TYPE, 'is_flat')}, toFixedString('', 16)),
    if(is_item, concat('item-', toString(toUInt64(floor(${ITEMS} * if(is_flat, place, pow(place, 6)))))), ''),
    'go.example.com', concat('path', toString(n % 100000)), ['ios', 'android', 'desktop', 'other'][1 + toUInt8(floor(4 * a * a))], '17.5',
    ['Safari', 'Chrome', 'Firefox', 'Samsung Internet', 'Edge'][1 + toUInt8(floor(5 * b * b))], b < 0.1,
    concat(char(65 + toUInt8(floor(12 * c * c))), char(65 + n % 5)),
    if(d < 0.5, '', concat('r', toString(toUInt64(floor(2000 * pow(2 * (d - 0.5), 4)))), '.example')),
    if(NOT is_item AND a < 0.3, concat('c', toString(toUInt64(floor(${CAMPAIGNS} * a / 0.3)))), ''), if(d < 0.3, 'newsletter', ''),
    concat('https://shop.example.com/product/', toString(n), '?utm_source=newsletter&utm_medium=email'), {batch:Int64}, toInt64(1 + n % ${USER_AGENTS}),
    toFixedString(unhex('0102030405060708'), 8), reinterpretAsInt64(sipHash64(floor({clicks:Int64} * 0.6 * c), {from:Int64}))
  FROM (
    SELECT number AS n, n % 3 = 0 AS is_item, n % 6 = 0 AS is_flat, ${draw(1)} AS place, ${draw(2)} AS a, ${draw(3)} AS b, ${draw(4)} AS c, ${draw(5)} AS d
    FROM numbers({clicks:UInt64}))`;

/** Writes clicks into ClickHouse as `fillLog` does into PostgreSQL, as many on each day. Today ends now. */
export async function fillClickHouse(
  clickHouse: ClickHouse,
  environmentNumber: number,
  clicks: number,
  onDay: (day: number) => void,
): Promise<void> {
  const now = Date.now();
  const today = Math.floor(now / DAY_MS) * DAY_MS;
  for (let day = LOG_DAYS - 1; day >= 0; day--) {
    const values = { clicks: Math.floor(clicks / LOG_DAYS), environment: environmentNumber, batch: String(day + 1) };
    await clickHouse.run(DAY, { ...values, from: today - day * DAY_MS, length: day === 0 ? now - today : DAY_MS - 1000 });
    onDay(LOG_DAYS - day);
  }
}
