import type { ClickDimension, ClicksAnswer } from '../../../../shared/contract/schemas/clicks-query.js';
import { countryName } from '../../format/countries.js';
import { exactCount } from '../../format/numbers.js';
import { platformName } from '../../format/platforms.js';
import { type Message, message, text, textOf } from '../../language/text.js';
import { useDrawn } from '../../parts/in-turn.js';
import { Note } from '../../parts/page.js';
import { TableFrame } from '../../parts/scrolling.js';
import { DIMENSIONS, FILE_ROWS, MEASURE_NAMES, MEASURES, type Measure, ROWS } from './asked.js';

type Group = ClicksAnswer['breakdown'][number];
type Named = Pick<Group, 'value' | 'name'> & Partial<Pick<Group, 'resource_type'>>;

const WITHOUT_VALUE = message('None');

/** Names of groups without a value. */
const NONE: Readonly<Partial<Record<ClickDimension, Message>>> = {
  link: message('Items of templates'),
  campaign: message('No campaign'),
  tag: message('No tag'),
  country: message('Unknown'),
  referrer_host: message('Direct or unknown'),
  in_app_browser: message('No app browser'),
  resource_type: message('Links'),
  item: message('Links'),
  bot_reason: message('People'),
};

export function labelOf(by: ClickDimension, { value, name, resource_type = null }: Named): string {
  if (value === null) return textOf(NONE[by] ?? WITHOUT_VALUE);
  if (resource_type !== null) return `${resource_type} ${value}`;
  if (by === 'platform') return platformName(value);
  return by === 'country' ? countryName(value) : (name ?? value);
}

interface GroupsProps {
  readonly by: ClickDimension;
  readonly groups: readonly Group[];
  readonly count: Measure;
  /** The greatest number of rows to show. A note says that there are more. */
  readonly rows?: number;
  /** Absent if groups cannot be chosen. */
  readonly onChoose?: (group: Group) => void;
}

/** Groups of clicks. Choosing a group shows only its clicks. */
export function Groups({ by, groups, count, rows = ROWS, onChoose }: GroupsProps) {
  const drawn = useDrawn(Math.min(groups.length, rows));
  if (groups.length === 0) return <p className="muted">{text('No clicks.')}</p>;
  return (
    <>
      <GroupsTable by={by} groups={largestOf(groups, count, rows)} count={count} drawn={drawn} onChoose={onChoose} />
      {groups.length > rows ? (
        <Note>
          {text('The {rows} largest are shown. A CSV has up to {fileRows}.', { rows: exactCount(rows), fileRows: exactCount(FILE_ROWS) })}
        </Note>
      ) : null}
    </>
  );
}

/** The largest groups by the chosen count, in descending order. */
export function largestOf<Counted extends Readonly<Record<Measure, number>>>(
  groups: readonly Counted[],
  count: Measure,
  rows: number,
): readonly Counted[] {
  return [...groups].sort((one, other) => other[count] - one[count]).slice(0, rows);
}

interface GroupsTableProps extends Pick<GroupsProps, 'by' | 'groups' | 'count'> {
  readonly drawn: number;
  readonly onChoose: GroupsProps['onChoose'] | undefined;
}

function GroupsTable({ by, groups, count, drawn, onChoose }: GroupsTableProps) {
  const largest = Math.max(1, ...groups.map((group) => group[count]));
  return (
    <TableFrame label={text('Clicks by {dimension}', { dimension: textOf(DIMENSIONS[by]) })}>
      <thead>
        <tr>
          <th scope="col">{textOf(DIMENSIONS[by])}</th>
          {MEASURE_NAMES.map((measure) => (
            <th key={measure} scope="col" className="number" aria-sort={measure === count ? 'descending' : undefined}>
              {textOf(MEASURES[measure])}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {groups.slice(0, drawn).map((group) => (
          <tr key={`${group.resource_type ?? ''}/${group.value ?? ''}`}>
            <th scope="row" className="bar">
              <meter min={0} max={largest} value={group[count]} aria-hidden="true" />
              <span>
                {onChoose === undefined ? (
                  labelOf(by, group)
                ) : (
                  <button type="button" className="button button-link" onClick={() => onChoose(group)}>
                    {labelOf(by, group)}
                  </button>
                )}
              </span>
            </th>
            {MEASURE_NAMES.map((measure) => (
              <td key={measure} className={measure === count ? 'number number-counted' : 'number'}>
                {exactCount(group[measure])}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </TableFrame>
  );
}
