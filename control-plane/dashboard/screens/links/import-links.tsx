import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useId, useState } from 'react';
import { ApiError, newIdempotencyKey } from '../../api/client.js';
import { csvField, parseCsv } from '../../format/csv.js';
import { download } from '../../format/download.js';
import { exactCount } from '../../format/numbers.js';
import { Button, ButtonLink } from '../../parts/button.js';
import { Icon } from '../../parts/icon.js';
import { useLeaving } from '../../parts/leave.js';
import { Card, Page } from '../../parts/page.js';
import { TableFrame } from '../../parts/scrolling.js';
import { dropDraft, readDraft, writeDraft } from '../../session/draft-store.js';
import { useConnection } from '../../session/signed-in.js';
import { COLUMNS, type ImportRow, readImport } from './import-columns.js';
import { type RowOutcome, runImport } from './import-run.js';

/** The file, and the id under which it is imported. Both are kept over a reload, so that an import continues where it stopped. */
interface ImportSource {
  readonly name: string;
  readonly text: string;
  readonly importId: string;
}

/**
 * The state of an import: `choosing` a file; `checking` it by a dry run; `checked`, waiting for confirmation; `importing`;
 * and `imported`, which is final. A step that fails goes back to the state from which it can be tried again.
 */
type Stage =
  | { readonly name: 'choosing'; readonly refusal: string | null }
  | { readonly name: 'checking' | 'importing'; readonly rows: readonly ImportRow[]; readonly outcomes: readonly RowOutcome[] }
  | {
      readonly name: 'checked';
      readonly rows: readonly ImportRow[];
      readonly outcomes: readonly RowOutcome[];
      readonly failure: string | null;
    }
  | { readonly name: 'imported'; readonly rows: readonly ImportRow[]; readonly outcomes: readonly RowOutcome[] };

const DRAFT = 'links/import';

export function ImportLinks() {
  const { stage, source, choose, start, again } = useImport();
  return (
    <Page
      title="Import links"
      lead="Choose a CSV file with a header line and one link on each line. The file is checked first. No link is made before you confirm."
      back={{ to: '/links', label: 'Links' }}
    >
      <div className="stack">
        {stage.name === 'choosing' ? <FileChoice refusal={stage.refusal} onChoose={choose} /> : null}
        {stage.name === 'checking' || stage.name === 'importing' ? (
          <Card title={stage.name === 'checking' ? `Checking ${source?.name}` : `Importing ${source?.name}`}>
            <Progress done={stage.outcomes.length} total={stage.rows.length} />
          </Card>
        ) : null}
        {stage.name === 'checked' ? (
          <Checked name={source?.name ?? ''} outcomes={stage.outcomes} failure={stage.failure} onStart={start} onAgain={again} />
        ) : null}
        {stage.name === 'imported' ? <Imported outcomes={stage.outcomes} onAgain={again} /> : null}
      </div>
    </Page>
  );
}

function useImport() {
  const { connection, environment } = useConnection();
  const client = useQueryClient();
  const draftName = `${environment} ${DRAFT}`;
  const [source, setSource] = useState<ImportSource | null>(() => readDraft(draftName));
  const [stage, setStage] = useState<Stage>({ name: 'choosing', refusal: null });
  const leaving = useLeaving();

  const run = async (from: ImportSource, rows: readonly ImportRow[], name: 'checking' | 'importing') => {
    setStage({ name, rows, outcomes: [] });
    const { signal } = leaving.current;
    try {
      const outcomes = await runImport({
        connection,
        rows,
        dryRun: name === 'checking',
        importId: from.importId,
        signal,
        onProgress: (outcomes) => setStage({ name, rows, outcomes }),
      });
      if (name === 'checking') return setStage({ name: 'checked', rows, outcomes, failure: null });
      dropDraft(draftName);
      setStage({ name: 'imported', rows, outcomes });
    } catch (error) {
      if (signal.aborted) return;
      if (!(error instanceof ApiError)) throw error;
      // Parts that were sent have had their effect, and are not made again under the keys of the same import.
      setStage({ name: 'checked', rows, outcomes: [], failure: error.message });
    } finally {
      if (name === 'importing') void client.invalidateQueries({ predicate: ({ queryKey: [of] }) => of === environment });
    }
  };
  const check = (from: ImportSource) => {
    const file = readImport(parseCsv(from.text));
    if (file.outcome === 'refused') return setStage({ name: 'choosing', refusal: file.reason });
    void run(from, file.rows, 'checking');
  };
  const choose = async (file: File) => {
    const chosen = { name: file.name, text: await file.text(), importId: newIdempotencyKey() };
    setSource(chosen);
    writeDraft(draftName, chosen);
    check(chosen);
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, for a file that an earlier visit left
  useEffect(() => {
    if (source !== null) check(source);
  }, []);
  return {
    stage,
    source,
    choose,
    start: () => {
      if (stage.name === 'checked' && source !== null) void run(source, stage.rows, 'importing');
    },
    again: () => {
      dropDraft(draftName);
      setSource(null);
      setStage({ name: 'choosing', refusal: null });
    },
  };
}

const EXAMPLE = `path,web,ios,campaign\nspring,https://example.com/spring,,spring\n,https://example.com/p/42,shop://p/42,\n`;

function FileChoice({ refusal, onChoose }: { readonly refusal: string | null; readonly onChoose: (file: File) => Promise<void> }) {
  const id = useId();
  return (
    <Card>
      <div className="stack">
        <div className="file-choice">
          <Icon name="upload" />
          <label htmlFor={id}>CSV file</label>
          <input
            id={id}
            type="file"
            accept=".csv,text/csv,.tsv,.txt"
            aria-describedby={`${id}-error`}
            onChange={({ target }) => {
              const file = target.files?.[0];
              if (file !== undefined) void onChoose(file);
            }}
          />
          <div id={`${id}-error`} role="alert" className="field-error">
            {refusal}
          </div>
        </div>
        <div>
          <p className="muted">
            Columns, in any order, each of them optional. An empty path is chosen by the service; times are ISO 8601, data is JSON.
          </p>
          <ul className="chips">
            {Object.keys(COLUMNS).map((name) => (
              <li key={name} className="chip">
                <code>{name}</code>
              </li>
            ))}
          </ul>
        </div>
        <div>
          <Button onClick={() => download(new Blob([EXAMPLE], { type: 'text/csv' }), 'links.csv')}>
            <Icon name="download" /> Example file
          </Button>
        </div>
      </div>
    </Card>
  );
}

function Progress({ done, total }: { readonly done: number; readonly total: number }) {
  const id = useId();
  return (
    <div className="stack">
      <label htmlFor={id}>
        {exactCount(done)} of {exactCount(total)}
      </label>
      <progress id={id} value={done} max={total} />
    </div>
  );
}

interface CheckedProps {
  readonly name: string;
  readonly outcomes: readonly RowOutcome[];
  readonly failure: string | null;
  readonly onStart: () => void;
  readonly onAgain: () => void;
}

function Checked({ name, outcomes, failure, onStart, onAgain }: CheckedProps) {
  const good = outcomes.filter(({ error }) => error === null).length;
  return (
    <Card title={name}>
      <div className="stack">
        <div role="status">
          {failure === null ? (
            <p>
              {exactCount(good)} {good === 1 ? 'link' : 'links'} can be made. Rows with errors: {exactCount(outcomes.length - good)}.
            </p>
          ) : (
            <p className="notice notice-danger">{failure} What was made already is not made twice.</p>
          )}
        </div>
        <Wrong outcomes={outcomes} />
        <div className="form-buttons">
          <Button variant="primary" onClick={onStart} disabled={failure === null && good === 0}>
            {failure === null ? `Import ${exactCount(good)} ${good === 1 ? 'link' : 'links'}` : 'Try again'}
          </Button>
          <Button onClick={onAgain}>Choose another file</Button>
        </div>
      </div>
    </Card>
  );
}

function Imported({ outcomes, onAgain }: { readonly outcomes: readonly RowOutcome[]; readonly onAgain: () => void }) {
  const made = outcomes.filter(({ url }) => url !== null);
  const save = () => {
    const lines = outcomes.map(({ line, url, error }) => [String(line), url ?? '', error ?? ''].map(csvField).join(','));
    download(new Blob([`line,url,error\n${lines.join('\n')}\n`], { type: 'text/csv' }), 'imported-links.csv');
  };
  return (
    <Card title="Imported">
      <div className="stack">
        <p role="status" className="notice notice-good">
          {exactCount(made.length)} {made.length === 1 ? 'link was' : 'links were'} made, {exactCount(outcomes.length - made.length)} were
          not.
        </p>
        <Wrong outcomes={outcomes} />
        <div className="form-buttons">
          <ButtonLink to="/links" variant="primary">
            Open links
          </ButtonLink>
          <Button onClick={save}>
            <Icon name="download" /> Short URLs as CSV
          </Button>
          <Button onClick={onAgain}>Choose another file</Button>
        </div>
      </div>
    </Card>
  );
}

/** Rows shown at most. A file whose rows are all wrong usually has one fault, and the downloaded list has all rows. */
const WRONG_SHOWN_MAX = 200;

function Wrong({ outcomes }: { readonly outcomes: readonly RowOutcome[] }) {
  const wrong = outcomes.filter(({ error }) => error !== null);
  if (wrong.length === 0) return null;
  return (
    <>
      <TableFrame label="Rows with errors">
        <thead>
          <tr>
            <th scope="col" className="number">
              Line
            </th>
            <th scope="col">Error</th>
          </tr>
        </thead>
        <tbody>
          {wrong.slice(0, WRONG_SHOWN_MAX).map(({ line, error }) => (
            <tr key={line}>
              <td className="number">{line}</td>
              <td>{error}</td>
            </tr>
          ))}
        </tbody>
      </TableFrame>
      {wrong.length > WRONG_SHOWN_MAX ? <p className="muted">and {exactCount(wrong.length - WRONG_SHOWN_MAX)} more</p> : null}
    </>
  );
}
