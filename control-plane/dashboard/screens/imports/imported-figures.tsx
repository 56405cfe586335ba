import type { ImportOutcome } from '../../../../shared/contract/schemas/link-import.js';
import { exactCount } from '../../format/numbers.js';
import { languageOf } from '../../language/quoted.js';
import { counted, type Message, message, text, textOf } from '../../language/text.js';
import { Figure } from '../../parts/figure.js';
import { TableFrame } from '../../parts/scrolling.js';
import type { Work } from './import-machine.js';
import type { Tally } from './imported-rows.js';

const LABELS: Readonly<Record<ImportOutcome, Readonly<Record<Work, Message>>>> = {
  created: { check: message('To be created'), import: message('Created') },
  aliased: { check: message('To be created with an alias'), import: message('Created with an alias') },
  exists: { check: message('Already exists'), import: message('Already exists') },
  skipped: { check: message('Path is taken'), import: message('Skipped') },
  failed: { check: message('Cannot be created'), import: message('Failed') },
};

/** Leaves out outcomes without rows, except for the first and the last outcome. */
export function Figures({ work, tally: { counts } }: { readonly work: Work; readonly tally: Tally }) {
  const shown = (Object.keys(LABELS) as ImportOutcome[]).filter((name) => counts[name] > 0 || name === 'created' || name === 'failed');
  return (
    <dl className="figures">
      {shown.map((name) => (
        <Figure key={name} label={textOf(LABELS[name][work])} value={exactCount(counts[name])} />
      ))}
    </dl>
  );
}

/** The fields that were not carried over, and the first rows for which no link was created. */
export function Problems({ tally }: { readonly tally: Tally }) {
  return (
    <>
      <Losses tally={tally} />
      <Failures tally={tally} />
    </>
  );
}

/** Fields that may keep visitors out. */
const KEEP_OUT: ReadonlySet<string> = new Set(['password', 'max_clicks', 'active_from', 'expires_at', 'status']);

function Losses({ tally: { lost } }: { readonly tally: Tally }) {
  const fields = Object.entries(lost).sort(([, one], [, other]) => other - one);
  if (fields.length === 0) return null;
  return (
    <div className="stack import-losses">
      <h3>{text('Not imported')}</h3>
      <ul className="chips">
        {fields.map(([field, rows]) => (
          <li key={field} className="chip">
            <code>{field}</code> {counted(rows, '{count} row', '{count} rows')}
          </li>
        ))}
      </ul>
      {fields.some(([field]) => KEEP_OUT.has(field)) ? (
        <p className="muted">{text('If visitors could not use a link because of such a field, the link is created disabled.')}</p>
      ) : null}
    </div>
  );
}

function Failures({ tally: { problems, counts } }: { readonly tally: Tally }) {
  if (problems.length === 0) return null;
  const all = counts.failed + counts.skipped;
  return (
    <>
      <TableFrame label={text('Rows that are not imported')}>
        <thead>
          <tr>
            <th scope="col" className="number">
              {text('Row')}
            </th>
            <th scope="col">{text('Link')}</th>
            <th scope="col">{text('Reason')}</th>
          </tr>
        </thead>
        <tbody>
          {problems.map(({ row, id, reason }) => (
            <tr key={row}>
              <th scope="row" className="number">
                {row}
              </th>
              <td className="import-id">{id}</td>
              <td lang={languageOf(reason)}>{reason}</td>
            </tr>
          ))}
        </tbody>
      </TableFrame>
      {problems.length === all ? null : (
        <p className="muted">
          {text('The first {shown} of {all}. The report has all of them.', { shown: exactCount(problems.length), all: exactCount(all) })}
        </p>
      )}
    </>
  );
}
