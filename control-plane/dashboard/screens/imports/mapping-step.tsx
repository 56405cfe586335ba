import { useId, useState } from 'react';
import type { Collision } from '../../../../shared/contract/schemas/link-import.js';
import { counted, type Message, message, text, textOf } from '../../language/text.js';
import { Button } from '../../parts/button.js';
import { Card } from '../../parts/page.js';
import { Refusal } from '../../parts/refusal.js';
import { Loading } from '../../parts/states.js';
import { useAllRows } from '../../session/queries.js';
import { useSignedIn } from '../../session/signed-in.js';
import type { ImportMachine, Stage } from './import-machine.js';

const COLLISIONS: readonly { readonly value: Collision; readonly title: Message; readonly what: Message }[] = [
  { value: 'fail', title: message('Report it'), what: message('The link is not created and counts as failed') },
  { value: 'skip', title: message('Skip it'), what: message('The link is not created and counts as skipped') },
  {
    value: 'alias',
    title: message('Give it an alias'),
    what: message(
      'The link gets another path, and its old address becomes an alias. This is not possible if the other link is shown on that host',
    ),
  },
];

interface MappingStepProps {
  readonly machine: ImportMachine;
  readonly job: NonNullable<ImportMachine['job']>;
  readonly stage: Extract<Stage, { readonly name: 'mapping' }>;
}

/** Chooses the host of this service that replaces each host of the file, and what happens to links whose path is taken. */
export function MappingStep({ machine, job, stage: { hosts, more, failure } }: MappingStepProps) {
  const [collision, setCollision] = useState<Collision>(job.choices.collision);
  const [caseSensitive, setCaseSensitive] = useState(job.choices.caseSensitive);
  const [domains, setDomains] = useState(job.choices.domains);
  const { settings } = useSignedIn();
  const verified = useAllRows('GET /domains', { query: { status: 'verified' } }).rows.map(({ hostname }) => hostname);
  const own = [settings.link_host, ...verified];
  /** The API's default: a host of this service stays the same, and any other becomes the link host. */
  const unnamed = (host: string) => (own.includes(host) ? host : settings.link_host);
  const targetOf = (host: string) => domains[host] ?? unnamed(host);
  const check = () => {
    const shown = hosts ?? [];
    const pairs = shown.map((host) => [host, targetOf(host)] as const).filter(([host, target]) => target !== unnamed(host));
    machine.setChoices({ collision, caseSensitive, domains: Object.fromEntries(pairs) }, [...shown, ...own]);
    void machine.begin('check');
  };
  return (
    <Card title={`${job.name}, ${counted(job.rows, '{count} link', '{count} links')}`}>
      <div className="stack">
        {more ? (
          <p className="notice">
            {text('The file contains further hosts after its first rows. Choose hosts for them too, and check the file again.')}
          </p>
        ) : null}
        {hosts === null ? null : (
          <Hosts
            hosts={hosts}
            targets={own}
            targetOf={targetOf}
            onChange={(host, target) => setDomains((before) => ({ ...before, [host]: target }))}
          />
        )}
        {hosts === null && failure === null ? <Loading lines={3} /> : null}
        <Refusal reason={failure} />
        {job.choices.source === 'dub' ? <CaseSensitive checked={caseSensitive} onChange={setCaseSensitive} /> : null}
        <Collisions collision={collision} onChange={setCollision} />
        <div className="form-buttons card-foot">
          {failure === null ? (
            <Button variant="primary" onClick={check} disabled={hosts === null}>
              {text('Check the file')}
            </Button>
          ) : (
            <Button variant="primary" onClick={() => void machine.look()}>
              {text('Try again')}
            </Button>
          )}
          <Button onClick={() => void machine.again()}>{text('Choose another file')}</Button>
        </div>
      </div>
    </Card>
  );
}

interface HostsProps {
  readonly hosts: readonly string[];
  readonly targets: readonly string[];
  readonly targetOf: (host: string) => string;
  readonly onChange: (host: string, target: string) => void;
}

function Hosts({ hosts, targets, targetOf, onChange }: HostsProps) {
  const id = useId();
  if (hosts.length === 0)
    return <p className="muted">{text('The file contains no hosts. Its links work on every host of the environment.')}</p>;
  return (
    <fieldset className="stack import-hosts">
      <legend>{text('Hosts')}</legend>
      <p className="muted">{text('Paths that only an alias can have, such as those with a slash, work on the host that you choose.')}</p>
      {hosts.map((host, at) => (
        <div key={host} className="import-host">
          <label htmlFor={`${id}-${at}`}>{text('{host} becomes', { host })}</label>
          <select id={`${id}-${at}`} value={targetOf(host)} onChange={({ target }) => onChange(host, target.value)}>
            {targets.map((name) => (
              <option key={name}>{name}</option>
            ))}
          </select>
        </div>
      ))}
    </fieldset>
  );
}

function CaseSensitive({ checked, onChange }: { readonly checked: boolean; readonly onChange: (checked: boolean) => void }) {
  return (
    <label className="check import-source">
      <input type="checkbox" checked={checked} onChange={({ target }) => onChange(target.checked)} />
      <span>
        {text('Keys are case-sensitive')}
        <small>{text('Keys that differ in case only are different links. Otherwise each link is found in lower case too.')}</small>
      </span>
    </label>
  );
}

function Collisions({ collision, onChange }: { readonly collision: Collision; readonly onChange: (collision: Collision) => void }) {
  const name = useId();
  return (
    <fieldset className="import-sources">
      <legend>{text('If the path of a link is taken')}</legend>
      {COLLISIONS.map(({ value, title, what }) => (
        <label key={value} className="check import-source">
          <input type="radio" name={name} checked={collision === value} onChange={() => onChange(value)} />
          <span>
            {textOf(title)}
            <small>{textOf(what)}</small>
          </span>
        </label>
      ))}
    </fieldset>
  );
}
