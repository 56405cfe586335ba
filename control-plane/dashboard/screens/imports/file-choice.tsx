import { type DragEvent, useId, useState } from 'react';
import type { FileSource } from '../../../../shared/contract/schemas/link-import.js';
import { download } from '../../format/download.js';
import { languageOf } from '../../language/quoted.js';
import { rich } from '../../language/rich.js';
import { text, textOf } from '../../language/text.js';
import { Button } from '../../parts/button.js';
import { CopyField } from '../../parts/copy.js';
import { Icon } from '../../parts/icon.js';
import { Card } from '../../parts/page.js';
import { useSignedIn } from '../../session/signed-in.js';
import { COLUMNS } from '../links/link-columns.js';
import { commandsFor, SOURCES } from './import-sources.js';

interface FileChoiceProps {
  readonly refusal: string | null;
  readonly onChoose: (source: FileSource, file: File) => void;
}

export function FileChoice({ refusal, onChoose }: FileChoiceProps) {
  const [source, setSource] = useState<FileSource>('csv');
  const name = useId();
  return (
    <>
      <Card title={text('Where do the links come from?')}>
        <div className="stack">
          <fieldset className="import-sources">
            <legend className="visually-hidden">{text('Source')}</legend>
            {SOURCES.map((each) => (
              <label key={each.source} className="check import-source">
                <input type="radio" name={name} checked={source === each.source} onChange={() => setSource(each.source)} />
                <span>
                  {textOf(each.title)}
                  <small>{textOf(each.file)}</small>
                </span>
              </label>
            ))}
          </fieldset>
          <DropZone refusal={refusal} onFile={(file) => onChoose(source, file)} />
          {source === 'csv' ? <Columns /> : null}
        </div>
      </Card>
      <Card title={text('Other services')}>
        <OtherServices />
      </Card>
    </>
  );
}

function DropZone({ refusal, onFile }: { readonly refusal: string | null; readonly onFile: (file: File) => void }) {
  const id = useId();
  const [over, setOver] = useState(false);
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    const file = event.dataTransfer.files[0];
    if (file !== undefined) onFile(file);
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: a place to drop; the field within does the same by keyboard
    <div
      className={over ? 'stack file-choice file-choice-over' : 'stack file-choice'}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
    >
      <Icon name="upload" />
      <label htmlFor={id}>{text('Drop a file here, or choose one')}</label>
      <input
        id={id}
        type="file"
        accept=".csv,text/csv,.tsv,.txt,.ndjson,.jsonl"
        aria-describedby={`${id}-error`}
        aria-invalid={refusal !== null}
        onChange={({ target }) => {
          const file = target.files?.[0];
          if (file !== undefined) onFile(file);
        }}
      />
      <div id={`${id}-error`} role="alert" className="field-error" lang={languageOf(refusal ?? undefined)}>
        {refusal}
      </div>
    </div>
  );
}

const EXAMPLE = 'path,web,ios,campaign\r\nspring,https://example.com/spring,,spring\r\n,https://example.com/p/42,shop://p/42,\r\n';

function Columns() {
  return (
    <div className="stack">
      <p className="muted">
        {text(
          'Columns, in any order, all optional. If a path is empty, the service generates one. Times are ISO 8601, data is JSON. Columns with other names are ignored; the check lists them.',
        )}
      </p>
      <ul className="chips">
        {COLUMNS.map((name) => (
          <li key={name} className="chip">
            <code>{name}</code>
          </li>
        ))}
      </ul>
      <div>
        <Button onClick={() => download(new Blob([EXAMPLE], { type: 'text/csv' }), 'links.csv')}>
          <Icon name="download" /> {text('Example file')}
        </Button>
      </div>
    </div>
  );
}

function OtherServices() {
  const { settings } = useSignedIn();
  return (
    <div className="stack">
      <p className="muted">
        {rich(
          'To read links over the API of a service, the command needs your key for that service. The key stays on your server: run the command there. Without {option} the command creates the links.',
          { option: <code>--dry-run</code> },
        )}
      </p>
      {commandsFor(settings.id).map(({ title, command }) => (
        <details key={title}>
          <summary>{title}</summary>
          <CopyField text={command} label={text('Copy the command for {title}', { title })} />
        </details>
      ))}
    </div>
  );
}
