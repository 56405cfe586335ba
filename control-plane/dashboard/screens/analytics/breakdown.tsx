import { Suspense, useState } from 'react';
import type { ClickDimension, ClicksAnswer } from '../../../../shared/contract/schemas/clicks-query.js';
import { type ApiError, call } from '../../api/client.js';
import type { PictureHead } from '../../charts/picture-head.js';
import { download } from '../../format/download.js';
import { text, textOf } from '../../language/text.js';
import { SaveButton } from '../../parts/button.js';
import { late } from '../../parts/late.js';
import { Failure, Loading } from '../../parts/states.js';
import { Tabs } from '../../parts/tabs.js';
import { toast } from '../../parts/toasts.js';
import { useConnection } from '../../session/signed-in.js';
import { type Asked, DIMENSION_GROUPS, DIMENSIONS, FILE_ROWS, groupsQueryOf, rowsOf } from './asked.js';
import { usePictureHead } from './asked-in-words.js';
import { saveBarsAsPng } from './bars-png.js';
import { groupsCsv } from './files.js';
import { Groups, labelOf, largestOf } from './groups.js';
import { LABELS } from './measures.js';
import type { Standing } from './standing.js';

const PANEL = 'clicks-by';

/** A separate file, because it contains the outlines of all countries, which only the map needs. */
const CountryMap = late('CountryMap', () => import('./country-map.js'));

interface BreakdownProps {
  readonly asked: Asked;
  readonly ask: (asked: Asked) => void;
  readonly groups: Standing;
}

/** Clicks grouped by one dimension. Tabs choose first the group of dimensions and then the dimension. */
export function Breakdown({ asked, ask, groups: { shown, by: shownBy = asked.by, isOld, error, retry } }: BreakdownProps) {
  const group = DIMENSION_GROUPS.find(({ names }) => names.includes(asked.by)) as (typeof DIMENSION_GROUPS)[number];
  const by = (name: ClickDimension) => ask({ ...asked, by: name });
  return (
    <section className="card framed" aria-label={text('Breakdown')}>
      <header className="card-head card-head-tabs side-by-side">
        <Tabs
          label={text('Group')}
          value={String(DIMENSION_GROUPS.indexOf(group))}
          tabs={DIMENSION_GROUPS.map(({ title }, place) => ({ value: String(place), label: textOf(title) }))}
          panel={PANEL}
          onChange={(place) => by(DIMENSION_GROUPS[Number(place)]?.names[0] ?? asked.by)}
        />
        <Saves asked={{ ...asked, by: shownBy }} answer={shown} />
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

/** Saves what is shown as files. The CSV file has more rows than the page, which are read when it is saved. */
function Saves({ asked, answer }: { readonly asked: Asked; readonly answer: ClicksAnswer | undefined }) {
  const { connection } = useConnection();
  const [saving, setSaving] = useState(false);
  const head = useHeadOf(asked, answer);
  const saveCsv = async () => {
    setSaving(true);
    try {
      const { breakdown } = await call(connection, 'GET /stats/clicks', { query: groupsQueryOf(asked, FILE_ROWS) });
      download(groupsCsv(asked.by, breakdown), `clicks-by-${asked.by}.csv`);
    } catch (error) {
      toast((error as ApiError).message, 'bad');
    } finally {
      setSaving(false);
    }
  };
  const savePng = () => {
    const groups = largestOf(answer?.breakdown ?? [], asked.count, PICTURE_ROWS);
    const bars = groups.map((group) => ({ name: labelOf(asked.by, group), count: group[asked.count], share: '' }));
    void saveBarsAsPng(head, bars, `clicks-by-${asked.by}.png`);
  };
  return (
    <span className="card-saves">
      <SaveButton format="CSV" label={text('Table as CSV')} onClick={() => void saveCsv()} busy={saving} disabled={answer === undefined} />
      <SaveButton format="PNG" label={text('Table as PNG')} onClick={savePng} disabled={answer === undefined} />
    </span>
  );
}

function useHeadOf(asked: Asked, answer: ClicksAnswer | undefined): PictureHead {
  const lines = usePictureHead(asked, answer);
  const title = text('Clicks by {dimension}', { dimension: textOf(DIMENSIONS[asked.by]) });
  return { title, lines: [textOf(LABELS[asked.count]), ...lines] };
}

/** As many bars as a picture can have and still fit on a sheet of paper. */
const PICTURE_ROWS = 25;

interface ShownProps extends Omit<BreakdownProps, 'groups'> {
  readonly answer: ClicksAnswer;
  /** The dimension of the current response, until the next one arrives. */
  readonly by: ClickDimension;
}

function Shown({ asked, ask, by, answer }: ShownProps) {
  const { breakdown } = answer;
  const head = useHeadOf({ ...asked, by }, answer);
  return (
    <>
      {by === 'country' ? (
        <Suspense fallback={<div className="world-map-place" />}>
          <CountryMap
            groups={breakdown}
            count={asked.count}
            head={head}
            onChoose={(country) => ask({ ...asked, filters: { ...asked.filters, country } })}
          />
        </Suspense>
      ) : null}
      <Groups
        by={by}
        groups={breakdown}
        count={asked.count}
        rows={rowsOf(by)}
        onChoose={({ value, resource_type }) =>
          ask({ ...asked, filters: { ...asked.filters, ...(resource_type === null ? {} : { resource_type }), [by]: value ?? '' } })
        }
      />
    </>
  );
}
