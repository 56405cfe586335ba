import { WORLD_MAP } from 'virtual:world-map';
import { type PointerEvent, useRef, useState } from 'react';
import { exactCount } from '../format/numbers.js';
import { text } from '../language/text.js';
import { useEscape } from '../parts/escape.js';
import { ranges, stepOf, thresholds } from './map-steps.js';
import './world-map.css';

/** A country on the map, with the figures to show for it. */
export interface MapPlace {
  readonly name: string;
  readonly value: number;
  readonly facts: readonly { readonly label: string; readonly value: number }[];
}

interface WorldMapProps {
  /** Figures by ISO 3166-1 alpha-2 code. Countries without an entry show none. */
  readonly places: ReadonlyMap<string, MapPlace>;
  /** What the shades stand for. */
  readonly measure: string;
  readonly onChoose: (code: string) => void;
}

/** Whether the map has an outline for the code. Some territories are too small to have one. */
export function isOnMap(code: string): boolean {
  return OUTLINES.has(code);
}

const OUTLINES = new Map(WORLD_MAP.countries);

/**
 * Countries in shades, only for the eye and the pointer. A table beside the map contains the same figures, for the keyboard and screen
 * readers.
 */
export function WorldMap({ places, measure, onChoose }: WorldMapProps) {
  const [shown, setShown] = useState<{ readonly code: string; readonly x: number; readonly y: number } | null>(null);
  const frame = useRef<HTMLDivElement>(null);
  const largest = Math.max(0, ...[...places.values()].map(({ value }) => value));
  const least = thresholds(largest);
  const show = (code: string) => (event: PointerEvent) => {
    const box = frame.current?.getBoundingClientRect();
    if (box !== undefined) setShown({ code, x: (event.clientX - box.left) / box.width, y: (event.clientY - box.top) / box.height });
  };
  useEscape(shown !== null, () => setShown(null));
  const place = shown === null ? undefined : places.get(shown.code);
  return (
    <div className="world-map" dir="ltr" aria-hidden="true" ref={frame}>
      <svg aria-hidden="true" viewBox={`0 0 ${WORLD_MAP.width} ${WORLD_MAP.height}`} onPointerLeave={() => setShown(null)}>
        {WORLD_MAP.countries.map(([code, path]) => {
          const found = places.get(code);
          const step = found === undefined ? 0 : stepOf(found.value, least);
          if (found === undefined) return <path key={code} d={path} className="map-0" onPointerEnter={() => setShown(null)} />;
          return (
            // biome-ignore lint/a11y/noStaticElementInteractions: the table has a button for each country
            <path
              key={code}
              d={path}
              data-country={code}
              className={`map-${step} map-chosen`}
              onPointerMove={show(code)}
              onClick={() => onChoose(code)}
            />
          );
        })}
      </svg>
      {shown === null || place === undefined ? null : <Figures place={place} x={shown.x} y={shown.y} />}
      <ul className="map-legend quiet">
        <li>{measure}</li>
        <li>
          <span className="map-key map-0" /> {text('none')}
        </li>
        {ranges(least, largest).map(([from, to]) => (
          <li key={from}>
            <span className={`map-key map-${stepOf(from, least)}`} />{' '}
            {from === to ? exactCount(from) : `${exactCount(from)}–${exactCount(to)}`}
          </li>
        ))}
      </ul>
    </div>
  );
}

function Figures({ place, x, y }: { readonly place: MapPlace; readonly x: number; readonly y: number }) {
  const side = x > 0.5 ? { right: `${(1 - x) * 100 + 2}%`, left: 'auto' } : { left: `${x * 100 + 2}%` };
  return (
    <div className="plot-point" style={{ ...side, top: `${Math.min(y, 0.7) * 100}%` }}>
      <strong>{place.name}</strong>
      {place.facts.map(({ label, value }) => (
        <span key={label} className="plot-value">
          {label} <b>{exactCount(value)}</b>
        </span>
      ))}
    </div>
  );
}
