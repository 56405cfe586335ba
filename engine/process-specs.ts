import { fileURLToPath } from 'node:url';
import type { Logger } from '../shared/base/log.js';
import { withSecretsOfFiles } from '../shared/base/secret-files.js';
import { CHILD_ENVIRONMENT, MESSAGES_VERSION } from './processes/messages.js';
import { type EngineRole, engineSettings } from './settings.js';
import { newAddressSecret } from './spool/address-cipher.js';
import { createFork } from './supervisor/fork.js';
import type { ListenerChoice } from './supervisor/listener-choice.js';
import type { Pidfile } from './supervisor/pidfile.js';
import type { ProcessSpec } from './supervisor/supervisor.js';

/** The processes of an engine: the programs from which they are started, and their environments. */
export const BACKGROUND = 'background';

export interface LinkHostPorts {
  readonly port: number;
  /** 0 if no certificates are set. */
  readonly tlsPort: number;
}

export interface ProcessesInput {
  /** The roles in force. */
  readonly roles: readonly EngineRole[];
  readonly listener: ListenerChoice;
  readonly ports: LinkHostPorts;
  readonly log: Logger;
  readonly pidfile: Pidfile;
}

export function processSpecs({ roles, listener, ports, log, pidfile }: ProcessesInput): ProcessSpec[] {
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
    { length: roles.includes('redirect') ? listener.processes : 0 },
    (_, slot): ProcessSpec => ({
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
  const background: ProcessSpec = {
    name: BACKGROUND,
    order: 'predecessor-first',
    knowsHosts: false,
    hearsOfAll: true,
    fork: createFork({ entry: entry('background'), environment: backgroundEnvironment(environment), log, pidfile }),
  };
  return [...redirects, background];
}

/**
 * `NODE_OPTIONS` of a redirect process; options that the operator has set override them. No object of a visit outlives the
 * visit, so V8 gains nothing from a large young generation. By default V8 makes one of three times 16 MB after hours, when it
 * happens to find many live objects. Between 1 and 64 MB, no difference in CPU time per request could be measured.
 */
export function redirectNodeOptions(operators = ''): string {
  return `--max-semi-space-size=4 ${operators}`.trim();
}

/**
 * The environment of `background`; variables that the operator has set override it. All of its threads share one heap of the C
 * library: by default glibc gives each thread its own, and half of their memory was free
 * (shared/decisions/2026-11-21-process-memory.md). It must be set before the process has threads.
 */
export function backgroundEnvironment(operators: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return { MALLOC_ARENA_MAX: '1', ...operators };
}
