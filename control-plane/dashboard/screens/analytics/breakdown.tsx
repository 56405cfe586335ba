import { Suspense } from 'react';
import type { ClickDimension, ClicksAnswer } from '../../../../shared/contract/schemas/clicks-query.js';
import { csvBlob } from '../../format/csv.js';
import { download } from '../../format/download.js';
import { text, textOf } from '../../language/text.js';
import { Button } from '../../parts/button.js';
import { Icon } from '../../parts/icon.js';
import { late } from '../../parts/late.js';
import { Failure, Loading } from '../../parts/states.js';
import { Tabs } from '../../parts/tabs.js';
import { type Asked, DIMENSION_GROUPS, DIMENSIONS } from './asked.js';
import { Groups } from './groups.js';
import type { Standing } from './standing.js';

const PANEL = 'clicks-by';

/** With the outlines of all countries, which nobody else waits for. */
const CountryMap = late('CountryMap', () => import('./country-map.js'));

interface BreakdownProps {
  readonly asked: Asked;
  readonly ask: (asked: Asked) => void;
  readonly groups: Standing;
}

/** Clicks told apart by one dimension, which tabs choose: first its group, then itself. */
export function Breakdown({ asked, ask, groups: { shown, by: shownBy = asked.by, isOld, error, retry } }: BreakdownProps) {
  const group = DIMENSION_GROUPS.find(({ names }) => names.includes(asked.by)) as (typeof DIMENSION_GROUPS)[number];
  const by = (name: ClickDimension) => ask({ ...asked, by: name });
  return (
    <section className="card" aria-label={text('Breakdown')}>
      <header className="card-head card-head-tabs">
        <Tabs
          label={text('Group')}
          value={String(DIMENSION_GROUPS.indexOf(group))}
          tabs={DIMENSION_GROUPS.map(({ title }, place) => ({ value: String(place), label: textOf(title) }))}
          panel={PANEL}
          onChange={(place) => by(DIMENSION_GROUPS[Number(place)]?.names[0] ?? asked.by)}
        />
        <Button
          onClick={() => shown !== undefined && download(csvOf(shownBy, shown), `clicks-by-${shownBy}.csv`)}
          label={text('Table as CSV')}
          disabled={shown === undefined}
        >
          <Icon name="download" /> CSV
        </Button>
      </header>
      <div className="card-body stack">
        {group.names.length < 2 ? null : (
          <Tabs
            small
            label={text('Dimension of {group}', { group: textOf(group.title) })}
            value={asked.by}
            tabs={group.names.map((name) => ({ value: name, label: textOf(DIMENSIONS[name]) }))}
            panel={PANEL}
            onChange={by}
          />
        )}
        <div
          id={PANEL}
          role="tabpanel"
          className={isOld && shown !== undefined ? 'stack stack-old' : 'stack'}
          aria-busy={isOld}
          aria-label={text('Clicks by {dimension}', { dimension: textOf(DIMENSIONS[shownBy]) })}
        >
          {shown !== undefined ? (
            <Shown asked={asked} ask={ask} answer={shown} by={shownBy} />
          ) : error !== null ? (
            <Failure error={error} onRetry={retry} />
          ) : (
            <Loading lines={10} />
          )}
        </div>
      </div>
    </section>
  );
}

interface ShownProps extends Omit<BreakdownProps, 'groups'> {
  readonly answer: ClicksAnswer;
  /** What the answer tells apart, until the next one is there. */
  readonly by: ClickDimension;
}

function Shown({ asked, ask, by, answer: { breakdown } }: ShownProps) {
  return (
    <>
      {by === 'country' ? (
        <Suspense fallback={<div className="world-map-place" />}>
          <CountryMap
            groups={breakdown}
            count={asked.count}
            onChoose={(country) => ask({ ...asked, filters: { ...asked.filters, country } })}
          />
        </Suspense>
      ) : null}
      <Groups
        by={by}
        groups={breakdown}
        count={asked.count}
        onChoose={(value) => ask({ ...asked, filters: { ...asked.filters, [by]: value ?? '' } })}
      />
    </>
  );
}

function csvOf(by: ClickDimension, { breakdown }: ClicksAnswer): Blob {
  const lines = breakdown.map(({ value, name, all, human, unique }) => [
    value ?? '',
    name ?? '',
    String(all),
    String(human),
    String(unique),
  ]);
  return csvBlob([[by, 'name', 'all', 'human', 'unique'], ...lines]);
}
