import { fileURLToPath } from 'node:url';
import type { Logger } from '../shared/base/log.js';
import { withSecretsOfFiles } from '../shared/base/secret-files.js';
import { backgroundEnvironment, CHILD_ENVIRONMENT, MESSAGES_VERSION, redirectNodeOptions } from './processes/messages.js';
import { type EngineRole, engineSettings } from './settings.js';
import { newAddressSecret } from './spool/address-cipher.js';
import { createFork } from './supervisor/fork.js';
import type { ListenerChoice } from './supervisor/listener-choice.js';
import type { Pidfile } from './supervisor/pidfile.js';
import { serves } from './supervisor/readiness.js';
import type { Role, Supervisor } from './supervisor/supervisor.js';

/** The processes of an engine: the programs from which they are started, and their environments. */
export const BACKGROUND = 'background';

export interface LinkHostPorts {
  readonly port: number;
  /** 0 if no certificates are set. */
  readonly tlsPort: number;
}

export interface ProcessesInput {
  readonly duties: readonly EngineRole[];
  readonly listener: ListenerChoice;
  readonly ports: LinkHostPorts;
  readonly log: Logger;
  readonly pidfile: Pidfile;
}

export function rolesOf({ duties, listener, ports, log, pidfile }: ProcessesInput): Role[] {
  const entry = (name: string) => fileURLToPath(new URL(`./${name}.js`, import.meta.url));
  const environment = {
    ...withSecretsOfFiles(engineSettings, process.env),
    [engineSettings.port.name]: String(ports.port),
    [engineSettings.tlsPort.name]: String(ports.tlsPort),
    [engineSettings.listener.name]: listener.kind,
    [CHILD_ENVIRONMENT.messagesVersion]: String(MESSAGES_VERSION),
    [CHILD_ENVIRONMENT.addressKey]: newAddressSecret().toString('base64'),
  };
  const redirectEnvironment = { ...environment, NODE_OPTIONS: redirectNodeOptions(process.env.NODE_OPTIONS) };
  const redirects = Array.from(
    { length: duties.includes('redirect') ? listener.processes : 0 },
    (_, slot): Role => ({
      name: `redirect-${slot}`,
      order: listener.sharesPort ? 'successor-first' : 'predecessor-first',
      knowsHosts: true,
      hearsOfAll: false,
      fork: createFork({
        entry: entry('redirect'),
        environment: { ...redirectEnvironment, [CHILD_ENVIRONMENT.slot]: String(slot) },
        log,
        pidfile,
      }),
    }),
  );
  const background: Role = {
    name: BACKGROUND,
    order: 'predecessor-first',
    knowsHosts: false,
    hearsOfAll: true,
    fork: createFork({ entry: entry('background'), environment: backgroundEnvironment(environment), log, pidfile }),
  };
  return [...redirects, background];
}

/** Returns the supervisor's own metrics, in the form in which its children report theirs. */
export function supervisorMetrics(supervisor: Supervisor, duties: readonly EngineRole[]): readonly unknown[] {
  const processes = supervisor.status();
  return [
    {
      name: 'engine_role',
      help: 'What the host does for the installation (ENGINE_ROLES)',
      type: 'gauge',
      values: duties.map((role) => ({ value: 1, labels: { role } })),
    },
    {
      name: 'engine_process_restarts_total',
      help: 'Processes started because their predecessor ended unexpectedly',
      type: 'counter',
      values: processes.map(({ name, restarts }) => ({ value: restarts, labels: { slot: name } })),
    },
    {
      name: 'engine_process_serving',
      help: 'Whether the process is serving and reporting',
      type: 'gauge',
      values: processes.map((status) => ({ value: serves(status) ? 1 : 0, labels: { slot: status.name } })),
    },
  ];
}
