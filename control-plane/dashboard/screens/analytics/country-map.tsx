import { useRef } from 'react';
import type { ClicksAnswer } from '../../../../shared/contract/schemas/clicks-query.js';
import type { PictureHead } from '../../charts/picture-head.js';
import { saveSvgAsPng } from '../../charts/svg-png.js';
import { isOnMap, type MapPlace, WorldMap } from '../../charts/world-map.js';
import { counted, text, textOf } from '../../language/text.js';
import { SaveButton } from '../../parts/button.js';
import { Note } from '../../parts/page.js';
import { MEASURE_NAMES, MEASURES, type Measure } from './asked.js';
import { labelOf } from './groups.js';

interface CountryMapProps {
  readonly groups: ClicksAnswer['breakdown'];
  readonly count: Measure;
  /** The head of a picture of the map. */
  readonly head: PictureHead;
  readonly onChoose: (country: string) => void;
}

/** The groups of the table by country, on a map. */
export function CountryMap({ groups, count, head, onChoose }: CountryMapProps) {
  const figure = useRef<HTMLDivElement>(null);
  const places = new Map(
    groups.flatMap((group) =>
      group.value === null || !isOnMap(group.value)
        ? []
        : [
            [
              group.value,
              {
                name: labelOf('country', group),
                value: group[count],
                facts: MEASURE_NAMES.map((measure) => ({ label: textOf(MEASURES[measure]), value: group[measure] })),
              } satisfies MapPlace,
            ] as const,
          ],
    ),
  );
  const elsewhere = groups.filter((group) => group.value === null || !places.has(group.value));
  const clicks = elsewhere.reduce((sum, group) => sum + group[count], 0);
  return (
    <div ref={figure}>
      <WorldMap places={places} measure={textOf(MEASURES[count])} onChoose={onChoose} />
      <div className="chart-foot side-by-side">
        <Note>
          {clicks === 0
            ? text('Every country of the table is on the map.')
            : counted(
                clicks,
                '{count} click of the table is not on the map: its country is unknown or too small.',
                '{count} clicks of the table are not on the map: their country is unknown or too small.',
              )}{' '}
          {text('Outlines: Natural Earth.')}
        </Note>
        <SaveButton
          format="PNG"
          label={text('Map as PNG')}
          onClick={() => void saveSvgAsPng(figure.current?.querySelector('svg') ?? null, head, 'clicks-by-country.png')}
        />
      </div>
    </div>
  );
}
