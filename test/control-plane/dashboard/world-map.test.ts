import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { gzipSync } from 'node:zlib';
import t from 'tap';
import { worldMap } from '../../../control-plane/dashboard/world-map.js';

const atlas = JSON.parse(readFileSync(createRequire(import.meta.url).resolve('world-atlas/countries-110m.json'), 'utf8'));
const map = worldMap(atlas);
const pathOf = new Map(map.countries);

/** The points of an outline, in the order in which a browser draws them. */
function points(path: string): readonly (readonly [number, number])[] {
  let [x, y] = [0, 0];
  const found: [number, number][] = [];
  for (const [, from = '', steps = ''] of path.matchAll(/M([^l]*)l([^z]*)z/g)) {
    [x = 0, y = 0] = from.split(' ').map(Number);
    found.push([x, y]);
    const numbers = (steps.match(/-?\d+/g) ?? []).map(Number);
    for (let at = 0; at < numbers.length; at += 2) {
      x += numbers[at] as number;
      y += numbers[at + 1] as number;
      found.push([x, y]);
    }
  }
  return found;
}

t.test('every country has one outline within the map, as a valid SVG path', async (t) => {
  t.ok(map.countries.length > 170);
  t.equal(pathOf.size, map.countries.length);
  for (const [code, path] of map.countries) {
    t.match(code, /^[A-Z]{2}$/);
    t.match(path, /^(M\d+ \d+l(-?\d+[ -]?)+z)+$/, code);
    const outside = points(path).filter(([x, y]) => x < 0 || x > map.width || y < 0 || y > map.height);
    t.same(outside, [], code);
  }
  for (const code of ['US', 'CN', 'IN', 'BR', 'DE', 'ZA', 'AU', 'XK']) t.ok(pathOf.has(code), code);
  t.notOk(pathOf.has('AQ'));
});

t.test('the map is equal-area', async (t) => {
  const areaOf = (code: string) => {
    let area = 0;
    for (const [, from = '', steps = ''] of (pathOf.get(code) ?? '').matchAll(/(M[^l]*)l([^z]*)z/g)) {
      const ring = points(`${from}l${steps}z`);
      for (const [at, [x, y]] of ring.entries()) {
        const [nextX, nextY] = ring[(at + 1) % ring.length] as readonly [number, number];
        area += (x * nextY - nextX * y) / 2;
      }
    }
    return Math.abs(area);
  };
  // Areas in square kilometres, of countries in the north, at the equator and in the south. Outlines at this scale are accurate
  // to a few per cent.
  for (const [code, km2] of [
    ['NO', 385_000],
    ['CD', 2_345_000],
    ['AU', 7_690_000],
    ['GL', 2_166_000],
  ] as const)
    t.ok(Math.abs(areaOf(code) / areaOf('BR') / (km2 / 8_515_000) - 1) < 0.12, `${code} ${areaOf(code) / areaOf('BR')}`);
});

t.test('all outlines together take less than 20 KB compressed', async (t) => {
  t.ok(gzipSync(JSON.stringify(map)).length < 20 * 1024);
});

t.test('a country without a known code stops the build', async (t) => {
  const unknown = structuredClone(atlas);
  unknown.objects.countries.geometries[0].id = undefined;
  unknown.objects.countries.geometries[0].properties.name = 'Nowhere';
  t.throws(() => worldMap(unknown), /Nowhere has no code/);
});
