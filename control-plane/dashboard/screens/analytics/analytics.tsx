import { useEffect, useRef, useState } from 'react';
import type { DayRange } from '../../../../shared/base/day-ranges.js';
import type { ClickDimension } from '../../../../shared/contract/schemas/clicks-query.js';
import { exactCount } from '../../format/numbers.js';
import { wholeDay } from '../../format/times.js';
import { labelled, text, textOf } from '../../language/text.js';
import { announce } from '../../parts/announce.js';
import { Button, IconButton } from '../../parts/button.js';
import { DateField } from '../../parts/date-field.js';
import { ExportFile } from '../../parts/export-file.js';
import { Icon } from '../../parts/icon.js';
import { Page } from '../../parts/page.js';
import { Segments } from '../../parts/segments.js';
import { LabelledSelect } from '../../parts/select.js';
import { Failure, Loading, Reversed } from '../../parts/states.js';
import { useSignedIn } from '../../session/signed-in.js';
import { type Asked, DIMENSIONS, groupsQueryOf, INTERVAL_NAMES, INTERVALS, lastDays, RANGES } from './asked.js';
import { useFilterWords } from './asked-in-words.js';
import { Breakdown } from './breakdown.js';
import { Funnel } from './funnel.js';
import { LiveFeed } from './live-feed.js';
import { LABELS } from './measures.js';
import { type Ask, useAnalytics } from './opened-view.js';
import { useStanding, useTrend } from './standing.js';
import { TagChoice } from './tag-choice.js';
import { Trend } from './trend.js';
import { ViewBar } from './view-bar.js';

/** Clicks of any days, with filters that can be combined. */
export function Analytics() {
  const { timeZone } = useSignedIn();
  const { asked, ask, view, open } = useAnalytics(timeZone);
  const [exporting, setExporting] = useState(false);
  return (
    <Page
      title={text('Analytics')}
      lead={text('All clicks of the environment. Choose a value in the table to see only its clicks.')}
      actions={
        <>
          <Button needs="analytics:read" onClick={() => setExporting(true)}>
            <Icon name="download" /> {text('Export clicks')}
          </Button>
          <Segments<DayRange | ''>
            label={text('Range')}
            value={asked?.range ?? ''}
            choices={labelled(RANGES)}
            onChange={(chosen) => chosen !== '' && asked !== null && ask({ ...asked, ...lastDays(chosen, timeZone) })}
          />
        </>
      }
    >
      {asked === null ? (
        view?.error == null ? (
          <Loading lines={10} />
        ) : (
          <Failure error={view.error} onRetry={view.retry} />
        )
      ) : (
        <>
          {exporting ? (
            <ExportFile kind="clicks" queries={[{ from: asked.from, to: asked.to }]} onClose={() => setExporting(false)}>
              {text(
                'Every click from {from} to {to}, including those of bots. The filters do not apply. Addresses are included only as hashes.',
                {
                  from: wholeDay(asked.from),
                  to: wholeDay(asked.to),
                },
              )}
            </ExportFile>
          ) : null}
          <div className="stack">
            <ViewBar asked={asked} view={view} onOpen={open} />
            <Questions asked={asked} ask={ask} />
            <Filters asked={asked} ask={ask} />
            {asked.from > asked.to ? <Reversed /> : <Answer asked={asked} ask={ask} />}
          </div>
        </>
      )}
    </Page>
  );
}

/** Says the total once the answer to what the user has chosen is there. */
function useTotalSaid(asked: Asked, { shown, isOld }: ReturnType<typeof useTrend>): void {
  // Another table below the chart changes no total.
  const { by: _, ...counted } = asked;
  const key = JSON.stringify(counted);
  const before = useRef(key);
  const total = shown?.totals[asked.count];
  const words = total === undefined || isOld ? null : `${textOf(LABELS[asked.count])}: ${exactCount(total)}`;
  useEffect(() => {
    if (words === null || before.current === key) return;
    before.current = key;
    announce(words);
  }, [key, words]);
}

function Answer({ asked, ask }: AskedProps) {
  const trend = useTrend(asked);
  useTotalSaid(asked, trend);
  const groups = useStanding(groupsQueryOf(asked));
  if (trend.shown === undefined)
    return trend.error === null ? (
      <Loading lines={10} />
    ) : (
      <>
        <Failure error={trend.error} onRetry={trend.retry} />
        <LiveFeed filters={asked.filters} />
      </>
    );
  return (
    <>
      <div className={trend.isOld ? 'stack-old' : undefined} aria-busy={trend.isOld}>
        <Trend asked={asked} ask={ask} answer={trend.shown} />
      </div>
      <Breakdown asked={asked} ask={ask} groups={groups} />
      {/* Rendered only once the breakdown has arrived, which would otherwise push them down. */}
      {groups.shown === undefined && groups.error === null ? null : (
        <>
          <Funnel asked={asked} days={trend.shown} />
          <LiveFeed filters={asked.filters} />
        </>
      )}
    </>
  );
}

interface AskedProps {
  readonly asked: Asked;
  readonly ask: Ask;
}

function Questions({ asked, ask }: AskedProps) {
  return (
    <search className="filters filters-low">
      <DateField
        type="date"
        label={text('From')}
        value={asked.from}
        max={asked.to}
        onChange={(from) => from !== '' && ask({ ...asked, range: null, from }, true)}
      />
      <DateField
        type="date"
        label={text('To')}
        value={asked.to}
        min={asked.from}
        onChange={(to) => to !== '' && ask({ ...asked, range: null, to }, true)}
      />
      <TagChoice asked={asked} ask={ask} />
      <LabelledSelect
        label={text('Interval')}
        value={asked.interval ?? ''}
        choices={[
          { value: '', label: text('Automatic') },
          ...INTERVAL_NAMES.map((name) => ({ value: name, label: textOf(INTERVALS[name]) })),
        ]}
        onChange={(interval) => ask({ ...asked, interval: interval === '' ? null : interval })}
      />
      <label className="check filter-check">
        <input type="checkbox" checked={asked.compare} onChange={({ target }) => ask({ ...asked, compare: target.checked })} />
        <span>{text('Compare with the days before')}</span>
      </label>
    </search>
  );
}

/** The active filters, each with a button that removes it. */
function Filters({ asked, ask }: AskedProps) {
  const without = (name: ClickDimension) => {
    const { [name]: _, ...filters } = asked.filters;
    ask({ ...asked, filters });
  };
  const given = useFilterWords(asked);
  if (given.length === 0) return null;
  return (
    <ul className="chips" aria-label={text('Filters')}>
      {given.map(({ name, words }) => (
        <li key={name} className="chip">
          {words}
          <IconButton
            icon="close"
            label={text('Remove the filter {dimension}', { dimension: textOf(DIMENSIONS[name]) })}
            onClick={() => without(name)}
          />
        </li>
      ))}
    </ul>
  );
}
