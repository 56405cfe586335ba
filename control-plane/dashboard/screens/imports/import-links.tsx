import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { type Message, message, text, textOf } from '../../language/text.js';
import { Card, Page } from '../../parts/page.js';
import { Loading } from '../../parts/states.js';
import { useConnection, useSignedIn } from '../../session/signed-in.js';
import { FileChoice } from './file-choice.js';
import './imports.css';
import { ImportMachine, type Stage } from './import-machine.js';
import { ImportReport } from './import-report.js';
import { MappingStep } from './mapping-step.js';
import { Checked, Progress } from './progress-step.js';

const STEPS = [
  message('Source and file'),
  message('Hosts and collisions'),
  message('Check'),
  message('Import'),
  message('Report'),
] as const;

function stepOf(stage: Stage): Message {
  switch (stage.name) {
    case 'reading':
    case 'choosing':
      return STEPS[0];
    case 'mapping':
      return STEPS[1];
    case 'checked':
      return STEPS[2];
    case 'imported':
      return STEPS[4];
    default:
      return stage.work === 'check' ? STEPS[2] : STEPS[3];
  }
}

/** Imports links of another service from a file. */
export function ImportLinks() {
  const { settings } = useSignedIn();
  return (
    <Page
      title={text('Import links')}
      lead={text('Links keep their paths, tags and times of creation. Every file is checked first: no link is created before you confirm.')}
      back={{ to: '/links', label: text('Links') }}
    >
      <Wizard key={settings.id} />
    </Page>
  );
}

function useImportMachine(): readonly [ImportMachine, Stage] {
  const { connection, environment } = useConnection();
  const { settings } = useSignedIn();
  const client = useQueryClient();
  const [machine] = useState(
    () =>
      new ImportMachine({
        connection,
        environmentId: settings.id,
        onImported: () => void client.invalidateQueries({ predicate: ({ queryKey: [of] }) => of === environment }),
      }),
  );
  useEffect(() => {
    machine.start();
    return () => machine.stop();
  }, [machine]);
  return [machine, useSyncExternalStore(machine.subscribe, machine.stage)];
}

function Wizard() {
  const [machine, stage] = useImportMachine();
  const step = stepOf(stage);
  const shown = useRef<HTMLElement>(null);
  const before = useRef(step);
  // The next step takes the focus, so that keyboard and screen reader users continue there.
  useEffect(() => {
    if (before.current !== step) shown.current?.focus({ preventScroll: true });
    before.current = step;
  }, [step]);
  return (
    <div className="stack">
      <ol className="wizard-steps quiet">
        {STEPS.map((name) => (
          <li key={textOf(name)} aria-current={name === step ? 'step' : undefined}>
            {textOf(name)}
          </li>
        ))}
      </ol>
      <section ref={shown} tabIndex={-1} className="stack import-step" aria-label={textOf(step)}>
        <Step machine={machine} stage={stage} />
      </section>
    </div>
  );
}

function Step({ machine, stage }: { readonly machine: ImportMachine; readonly stage: Stage }) {
  const { job } = machine;
  if (stage.name === 'choosing')
    return <FileChoice refusal={stage.refusal} onChoose={(source, file) => void machine.choose(source, file)} />;
  if (stage.name === 'reading' || job === null)
    return (
      <Card>
        <Loading lines={6} />
      </Card>
    );
  if (stage.name === 'mapping') return <MappingStep machine={machine} job={job} stage={stage} />;
  if (stage.name === 'checked') return <Checked machine={machine} job={job} tally={stage.tally} />;
  if (stage.name === 'imported') return <ImportReport machine={machine} tally={stage.tally} />;
  return <Progress machine={machine} job={job} stage={stage} />;
}
