import { useState } from 'react';
import type { ExportFormat } from '../../../shared/contract/schemas/export.js';
import { ApiError, callForFile } from '../api/client.js';
import { sentenceOf } from '../api/problem-words.js';
import { download } from '../format/download.js';
import { languageOf, quotedAs } from '../language/quoted.js';
import { type Message, message, text, textOf } from '../language/text.js';
import { useConnection } from '../session/signed-in.js';
import { Button } from './button.js';
import { Dialog } from './dialog.js';
import { useLeaving } from './leave.js';

const FORMATS: readonly ExportFormat[] = ['csv', 'ndjson'];

const TITLES: Readonly<Record<ExportFileProps['kind'], Message>> = {
  links: message('Export links'),
  campaigns: message('Export campaigns'),
  clicks: message('Export clicks'),
};

/** The one field that a reader chooses is the first day. */
function firstDayFault(detail: string): string {
  return languageOf(detail) === undefined ? text('The first day {detail}.', { detail }) : quotedAs(detail, sentenceOf(detail));
}

/** The service takes no longer for a file. */
const EXPORT_TIMEOUT_MS = 600_000;

interface ExportFileProps {
  readonly kind: 'links' | 'campaigns' | 'clicks';
  readonly query?: Readonly<Record<string, string>>;
  readonly onClose: () => void;
  /** What is in the file. */
  readonly children: React.ReactNode;
}

/** Asks for the format, and downloads what the API exports of the kind. */
export function ExportFile({ kind, query = {}, onClose, children }: ExportFileProps) {
  const { connection } = useConnection();
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  const leaving = useLeaving();
  const write = async (format: ExportFormat) => {
    const { signal } = leaving.current;
    setFailure(null);
    setBusy(true);
    try {
      const options = { signal, timeoutMs: EXPORT_TIMEOUT_MS };
      download(await callForFile(connection, `GET /exports/${kind}`, { query: { ...query, format } }, options), `${kind}.${format}`);
      onClose();
    } catch (error) {
      if (signal.aborted) return;
      if (!(error instanceof ApiError)) throw error;
      setFailure(error.fields[0] === undefined ? error.message : firstDayFault(error.fields[0].detail));
      setBusy(false);
    }
  };
  return (
    <Dialog title={textOf(TITLES[kind])} onClose={onClose}>
      <p>{children}</p>
      <div role="status">{busy ? text('The file is being made.') : null}</div>
      <div role="alert">
        {failure === null ? null : (
          <p className="notice notice-danger" lang={languageOf(failure)}>
            {failure}
          </p>
        )}
      </div>
      <div className="form-buttons">
        {FORMATS.map((format) => (
          <Button key={format} variant={format === 'csv' ? 'primary' : 'default'} busy={busy} onClick={() => void write(format)}>
            {text('Export {format}', { format: format.toUpperCase() })}
          </Button>
        ))}
        <Button onClick={onClose}>{text('Cancel')}</Button>
      </div>
    </Dialog>
  );
}
