import { useState } from 'react';
import type { Link } from '../../../../shared/contract/schemas/link.js';
import { ApiError, call } from '../../api/client.js';
import type { Input, Output } from '../../api/contract.js';
import { download } from '../../format/download.js';
import { languageOf } from '../../language/quoted.js';
import { rich } from '../../language/rich.js';
import { counted, text } from '../../language/text.js';
import { Button } from '../../parts/button.js';
import { Dialog } from '../../parts/dialog.js';
import { ExportFile } from '../../parts/export-file.js';
import { useLeaving } from '../../parts/leave.js';
import { useConnection } from '../../session/signed-in.js';
import { EXPORT_FORMATS, type ExportFormat, exportFile } from './export-file.js';

type Query = NonNullable<Input<'GET /links'>['query']>;

/** What a page of the API holds at most. */
const PAGE = 100;

interface ExportLinksProps {
  /** The filters and the order of the list. */
  readonly query: Query;
  readonly onClose: () => void;
}

export function ExportLinks({ filtered, ...props }: ExportLinksProps & { readonly filtered: boolean }) {
  if (filtered) return <ExportFiltered {...props} />;
  return (
    <ExportFile kind="links" onClose={props.onClose}>
      {rich(
        'All links, archived ones too, with their clicks of before they moved in. Both files can be imported again with {command}. Passwords are in neither.',
        { command: <code>linkd import</code> },
      )}
    </ExportFile>
  );
}

/** Writes every link that the filters show into a file, however many pages they have. */
function ExportFiltered({ query, onClose }: ExportLinksProps) {
  const { connection } = useConnection();
  const [count, setCount] = useState<number | null>(null);
  const [failure, setFailure] = useState<string | null>(null);
  const leaving = useLeaving();
  const write = async (format: ExportFormat) => {
    const { signal } = leaving.current;
    setFailure(null);
    setCount(0);
    try {
      const links: Link[] = [];
      let cursor: string | null = null;
      do {
        const page: Query = { ...query, limit: PAGE, ...(cursor === null ? {} : { cursor }) };
        const answer: Output<'GET /links'> = await call(connection, 'GET /links', { query: page }, { signal });
        links.push(...answer.data);
        setCount(links.length);
        cursor = answer.next_cursor;
      } while (cursor !== null);
      download(exportFile(links, format), `links.${format}`);
      onClose();
    } catch (error) {
      if (signal.aborted) return;
      if (!(error instanceof ApiError)) throw error;
      setFailure(error.message);
      setCount(null);
    }
  };
  return (
    <Dialog title={text('Export links')} onClose={onClose}>
      <p>
        {rich(
          'Every link that the list shows with its filters. CSV is for spreadsheets. NDJSON has each link as the API shows it. Both can be imported again with {command}. Passwords are in neither.',
          { command: <code>linkd import</code> },
        )}
      </p>
      <div role="status">{count === null ? null : counted(count, '{count} link read', '{count} links read')}</div>
      <div role="alert">
        {failure === null ? null : (
          <p className="notice notice-danger" lang={languageOf(failure)}>
            {failure}
          </p>
        )}
      </div>
      <div className="form-buttons">
        {EXPORT_FORMATS.map((format) => (
          <Button key={format} variant={format === 'csv' ? 'primary' : 'default'} busy={count !== null} onClick={() => void write(format)}>
            {text('Export {format}', { format: format.toUpperCase() })}
          </Button>
        ))}
        <Button onClick={onClose}>{text('Cancel')}</Button>
      </div>
    </Dialog>
  );
}
