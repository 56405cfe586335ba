import { type GeoContext, type GeoPermissibleObjects, geoEqualEarth, geoPath } from 'd3-geo';
import { iso31661NumericToAlpha2 } from 'iso-3166';
import { feature } from 'topojson-client';

/**
 * The countries of Natural Earth (1:110m, public domain, as packed by world-atlas) as SVG paths in the Equal Earth projection, which
 * preserves areas. The paths are made when the dashboard is built, so that the page does not compute projections. Antarctica is left out
 * because it would take a fifth of the map.
 */

/** In path units, which are whole numbers. One unit is a quarter of a pixel if the map is as wide as the page. */
const WIDTH = 4000;
const MARGIN = 4;

/** Territories without a number in ISO 3166. Each counts as the country whose code IP address databases return for it. */
const CODES_BY_NAME: Readonly<Record<string, string>> = { Kosovo: 'XK', 'N. Cyprus': 'CY', Somaliland: 'SO' };

export interface WorldMap {
  readonly width: number;
  readonly height: number;
  /** Outlines by ISO 3166-1 alpha-2 code. */
  readonly countries: readonly (readonly [code: string, path: string])[];
}

type Topology = Parameters<typeof feature>[0];
type Country = GeoPermissibleObjects & { readonly id?: string | number; readonly properties: { readonly name: string } };

export function worldMap(atlas: Topology): WorldMap {
  const { features } = feature(atlas, atlas.objects.countries as never) as unknown as { readonly features: readonly Country[] };
  const shown = features.flatMap((country) => {
    const code = CODES_BY_NAME[country.properties.name] ?? iso31661NumericToAlpha2[String(country.id)];
    if (code === undefined) throw new Error(`${country.properties.name} has no code: name it in CODES_BY_NAME`);
    return code === 'AQ' ? [] : [{ code, country }];
  });
  const land = { type: 'GeometryCollection', geometries: shown.map(({ country }) => (country as { geometry?: unknown }).geometry) };
  const projection = geoEqualEarth().fitWidth(WIDTH - 2 * MARGIN, land as GeoPermissibleObjects);
  const [x, y] = projection.translate();
  projection.translate([x + MARGIN, y + MARGIN]);
  const [, [, bottom]] = geoPath(projection).bounds(land as GeoPermissibleObjects);
  const paths = new Map<string, string>();
  for (const { code, country } of shown) {
    const line = new RelativePath();
    geoPath(projection, line)(country);
    paths.set(code, (paths.get(code) ?? '') + line.text);
  }
  return { width: WIDTH, height: Math.ceil(bottom) + MARGIN, countries: [...paths].sort(([one], [other]) => (one < other ? -1 : 1)) };
}

/** Writes a path in whole steps from point to point. It takes a third of the bytes of a path with absolute positions and decimals. */
class RelativePath implements GeoContext {
  text = '';
  #x = 0;
  #y = 0;
  #begun: readonly [number, number] = [0, 0];

  moveTo(x: number, y: number): void {
    // Each outline begins at an absolute position, so that paths can be concatenated.
    [this.#x, this.#y] = [Math.round(x), Math.round(y)];
    this.#begun = [this.#x, this.#y];
    this.text += `M${this.#x} ${this.#y}l`;
  }

  lineTo(x: number, y: number): void {
    const [dx, dy] = [Math.round(x) - this.#x, Math.round(y) - this.#y];
    if (dx === 0 && dy === 0) return;
    this.text += `${this.text.endsWith('l') || dx < 0 ? '' : ' '}${dx}${dy < 0 ? '' : ' '}${dy}`;
    this.#x += dx;
    this.#y += dy;
  }

  closePath(): void {
    [this.#x, this.#y] = this.#begun;
    // An island smaller than a unit is left out, because a line without steps would end the path there.
    this.text = this.text.endsWith('l') ? this.text.slice(0, this.text.lastIndexOf('M')) : `${this.text}z`;
  }

  beginPath(): void {}

  arc(): void {
    throw new Error('no country is a point');
  }
}
