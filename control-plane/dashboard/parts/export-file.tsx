import { useState } from 'react';
import { EXPORT_MS_MAX } from '../../../shared/base/export-limits.js';
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
import { Refusal } from './refusal.js';

const FORMATS: readonly ExportFormat[] = ['csv', 'ndjson'];

const TITLES: Readonly<Record<ExportFileProps['kind'], Message>> = {
  links: message('Export links'),
  campaigns: message('Export campaigns'),
  clicks: message('Export clicks'),
};

/** The first day is the only field that the user chooses. */
function firstDayFault(detail: string): string {
  return languageOf(detail) === undefined ? text('The first day {detail}.', { detail }) : quotedAs(detail, sentenceOf(detail));
}

/** Joins several files into one. Each begins with the same header row. */
async function joined(parts: readonly Blob[], format: ExportFormat): Promise<Blob> {
  const [first = new Blob(), ...others] = parts;
  const headBytes = format === 'csv' && others.length > 0 ? (await first.text()).indexOf('\n') + 1 : 0;
  return new Blob([first, ...others.map((part) => part.slice(headBytes))], { type: first.type });
}

interface ExportFileProps {
  readonly kind: 'links' | 'campaigns' | 'clicks';
  /** Queries of the calls that return the parts of the file, in order. */
  readonly queries?: readonly Readonly<Record<string, unknown>>[];
  readonly onClose: () => void;
  /** What is in the file. */
  readonly children: React.ReactNode;
}

/** Asks for the format, and downloads the API's export of this kind. */
export function ExportFile({ kind, queries = [{}], onClose, children }: ExportFileProps) {
  const { connection } = useConnection();
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  const leaving = useLeaving();
  const write = async (format: ExportFormat) => {
    const { signal } = leaving.current;
    setFailure(null);
    setBusy(true);
    try {
      const options = { signal, timeoutMs: EXPORT_MS_MAX };
      const parts: Blob[] = [];
      for (const query of queries)
        parts.push(await callForFile(connection, `GET /exports/${kind}`, { query: { ...query, format } }, options));
      download(await joined(parts, format), `${kind}.${format}`);
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
      <div role="status">{busy ? text('The file is being created.') : null}</div>
      <Refusal reason={failure} />
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
