import { useId } from 'react';
import { exactCount } from '../../format/numbers.js';
import { languageOf } from '../../language/quoted.js';
import { counted, text } from '../../language/text.js';
import { Button } from '../../parts/button.js';
import { Card } from '../../parts/page.js';
import type { ImportMachine, Stage } from './import-machine.js';
import { Figures, Problems } from './imported-figures.js';
import type { Tally } from './imported-rows.js';

interface JobProps {
  readonly machine: ImportMachine;
  readonly job: NonNullable<ImportMachine['job']>;
}

/** A dry run or an import that is running or paused. */
export function Progress({ machine, job, stage }: JobProps & { readonly stage: Extract<Stage, { readonly name: 'running' | 'paused' }> }) {
  const id = useId();
  const { work, tally } = stage;
  const paused = stage.name === 'paused';
  return (
    <Card title={work === 'check' ? text('Checking {name}', { name: job.name }) : text('Importing {name}', { name: job.name })}>
      <div className="stack">
        <div className="stack">
          <label htmlFor={id}>{text('{done} of {rows} rows', { done: exactCount(tally.done), rows: exactCount(job.rows) })}</label>
          <progress id={id} value={tally.done} max={job.rows} />
        </div>
        <Figures work={work} tally={tally} />
        <div role="status">
          {paused && stage.failure === null ? (
            <p className="notice notice-info">
              {text('Paused. Nothing is lost: you can continue here until you sign out, even after closing the page.')}
            </p>
          ) : null}
        </div>
        <div role="alert">
          {paused && stage.failure !== null ? (
            <p className="notice notice-danger">
              <span lang={languageOf(stage.failure)}>{stage.failure}</span>{' '}
              <span>{text('It continues where it stopped and creates no link twice.')}</span>
            </p>
          ) : null}
        </div>
        <div className="form-buttons">
          {paused ? (
            <Button variant="primary" onClick={() => void machine.goOn()}>
              {text('Resume')}
            </Button>
          ) : (
            <Button onClick={() => machine.pause()}>{text('Pause')}</Button>
          )}
          {paused ? <Button onClick={() => void machine.again()}>{text('Choose another file')}</Button> : null}
        </div>
        <Problems tally={tally} />
      </div>
    </Card>
  );
}

/** What an import of the file would do. */
export function Checked({ machine, job, tally }: JobProps & { readonly tally: Tally }) {
  const { created, aliased } = tally.counts;
  const good = created + aliased;
  return (
    <Card title={text('{name} was checked', { name: job.name })}>
      <div className="stack">
        <Figures work="check" tally={tally} />
        <div role="status">
          <p>
            {good === 0 ? text('No link can be created.') : counted(good, '{count} link can be created.', '{count} links can be created.')}
            {tally.withLosses === 0
              ? null
              : ` ${counted(
                  tally.withLosses,
                  '{count} would be imported without some of their data.',
                  '{count} would be imported without some of their data.',
                )}`}
          </p>
        </div>
        <div className="form-buttons">
          <Button variant="primary" onClick={() => void machine.begin('import')} disabled={good === 0}>
            {counted(good, 'Import {count} link', 'Import {count} links')}
          </Button>
          <Button onClick={() => void machine.look()}>{text('Back')}</Button>
          <Button onClick={() => void machine.again()}>{text('Choose another file')}</Button>
        </div>
        <Problems tally={tally} />
      </div>
    </Card>
  );
}
