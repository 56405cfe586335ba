import type { ClickFilter, ClicksAnswer } from '../../../../shared/contract/schemas/clicks-query.js';
import { countryName } from '../../format/countries.js';
import { exactCount } from '../../format/numbers.js';
import { TableFrame } from '../../parts/scrolling.js';
import { DIMENSIONS } from './asked.js';

type Group = ClicksAnswer['breakdown'][number];

/** What a group without a value is called. */
const NONE: Readonly<Partial<Record<ClickFilter, string>>> = {
  link: 'Items of templates',
  campaign: 'No campaign',
  country: 'Unknown',
  referrer_host: 'Direct or unknown',
  in_app_browser: 'No app browser',
  resource_type: 'Links',
  item: 'Links',
  bot_reason: 'People',
};

export function labelOf(by: ClickFilter, { value, name }: Pick<Group, 'value' | 'name'>): string {
  if (value === null) return NONE[by] ?? 'None';
  return by === 'country' ? countryName(value) : (name ?? value);
}

interface GroupsProps {
  readonly by: ClickFilter;
  readonly groups: readonly Group[];
  readonly onChoose: (value: string | null) => void;
}

/** Groups of clicks, those with most clicks of people first. A group is chosen to see its clicks alone. */
export function Groups({ by, groups, onChoose }: GroupsProps) {
  if (groups.length === 0) return <p className="muted">No clicks.</p>;
  const largest = Math.max(1, ...groups.map(({ human }) => human));
  return (
    <TableFrame label={`Clicks by ${DIMENSIONS[by]}`}>
      <thead>
        <tr>
          <th scope="col">{DIMENSIONS[by]}</th>
          {['People', 'Unique', 'All'].map((measure) => (
            <th key={measure} scope="col" className="number">
              {measure}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {groups.map((group) => (
          <tr key={group.value ?? ''}>
            <td className="bar">
              <meter min={0} max={largest} value={group.human} aria-hidden="true" />
              <span>
                <button type="button" className="button button-link" onClick={() => onChoose(group.value)}>
                  {labelOf(by, group)}
                </button>
              </span>
            </td>
            <td className="number">{exactCount(group.human)}</td>
            <td className="number">{exactCount(group.unique)}</td>
            <td className="number">{exactCount(group.all)}</td>
          </tr>
        ))}
      </tbody>
    </TableFrame>
  );
}
