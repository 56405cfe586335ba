import type { ImportedRow } from '../../../../shared/contract/schemas/link-import.js';
import { csvBlob } from '../../format/csv.js';
import { download } from '../../format/download.js';
import { exactCount } from '../../format/numbers.js';
import { counted, text } from '../../language/text.js';
import { Button, ButtonLink } from '../../parts/button.js';
import { Icon } from '../../parts/icon.js';
import { Card } from '../../parts/page.js';
import type { ImportMachine } from './import-machine.js';
import { Figures, Problems } from './imported-figures.js';
import type { Tally } from './imported-rows.js';

/** The result of every row, one per line. */
function reportOf(rows: readonly ImportedRow[], format: 'csv' | 'ndjson'): Blob {
  if (format === 'ndjson')
    return new Blob(
      rows.map((row) => `${JSON.stringify(row)}\n`),
      { type: 'application/x-ndjson' },
    );
  const lines = rows.map(({ row, id, outcome, url, lost, reason }) => [String(row), id, outcome, url ?? '', lost.join(', '), reason ?? '']);
  return csvBlob([['row', 'id', 'outcome', 'url', 'lost', 'reason'], ...lines]);
}

export function ImportReport({ machine, tally }: { readonly machine: ImportMachine; readonly tally: Tally }) {
  const { created, aliased, exists, skipped, failed } = tally.counts;
  const made = created + aliased;
  const save = (format: 'csv' | 'ndjson') => download(reportOf(machine.rows, format), `import-report.${format}`);
  return (
    <Card title={text('The file was imported')}>
      <div className="stack">
        <Figures work="import" tally={tally} />
        <p role="status" className={failed + skipped === 0 ? 'notice notice-good' : 'notice notice-warn'}>
          {counted(
            made,
            '{count} link was created, {exists} already existed, {skipped} were not created.',
            '{count} links were created, {exists} already existed, {skipped} were not created.',
            { exists: exactCount(exists), skipped: exactCount(skipped + failed) },
          )}
        </p>
        <div className="form-buttons">
          <ButtonLink to="/links" variant="primary">
            {text('Open links')}
          </ButtonLink>
          <Button onClick={() => save('csv')}>
            <Icon name="download" /> {text('Report as CSV')}
          </Button>
          <Button onClick={() => save('ndjson')}>
            <Icon name="download" /> {text('Report as NDJSON')}
          </Button>
          <Button onClick={() => void machine.again()}>{text('Import another file')}</Button>
        </div>
        <Problems tally={tally} />
      </div>
    </Card>
  );
}
