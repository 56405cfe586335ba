import type { Logger } from '../shared/base/log.js';
import type { PageServer } from '../shared/base/page-server.js';
import { systemScheduler } from '../shared/base/scheduler.js';
import { startAdminServer } from './admin/admin-server.js';
import { MetricsPage } from './admin/metrics.js';
import { BACKGROUND, type LinkHostPorts } from './process-specs.js';
import type { HealthReport, ProcessStatus } from './processes/health.js';
import type { EngineReady } from './processes/messages.js';
import { type EngineSettings, rolesInForce } from './settings.js';
import { StartError } from './start-error.js';
import { ListenerProbe } from './supervisor/listener-probe.js';
import { pauseTolerantClock } from './supervisor/pause-tolerant-clock.js';
import { LIVE_DEADLINE_MS, readiness, serves } from './supervisor/readiness.js';
import { createStoreSuspicion } from './supervisor/store-suspicion.js';
import { type ProcessSpec, Supervisor } from './supervisor/supervisor.js';
import { probeMetrics, supervisorMetrics } from './supervisor/supervisor-metrics.js';

const TICK_MS = 250;

export interface MainProcessInput {
  readonly settings: EngineSettings;
  readonly log: Logger;
  readonly ports: LinkHostPorts;
  readonly processes: readonly ProcessSpec[];
}

/** The process that starts and watches the others, with its admin port. */
export class MainProcess {
  readonly supervisor: Supervisor;
  readonly #input: MainProcessInput;
  readonly #clock = pauseTolerantClock(() => performance.now(), 4 * TICK_MS);
  readonly #page = new MetricsPage();
  /** Null on a host that answers no visitors. */
  readonly #probe: ListenerProbe | null;
  #servedAtMs = this.#clock.now();
  #admin: PageServer | null = null;
  #announced = false;
  #stopping = false;
  #ticking: NodeJS.Timeout | undefined;

  constructor(input: MainProcessInput) {
    const { settings, log, processes, ports } = input;
    this.#input = input;
    this.#probe =
      ports.port === 0
        ? null
        : new ListenerProbe({ port: ports.port, host: settings.host, schedule: systemScheduler, now: () => performance.now() });
    this.supervisor = new Supervisor({
      processes,
      clock: this.#clock.now,
      random: Math.random,
      schedule: systemScheduler,
      log,
      onMetrics: (name, pid, metrics) => this.#page.report(name, pid, metrics),
      onGone: (name, pid) => this.#page.retire(name, pid),
      onStoreSuspicion: createStoreSuspicion(settings.dataDir, log),
    });
  }

  get stopping(): boolean {
    return this.#stopping;
  }

  /** Names of the redirect processes. */
  redirects(): readonly string[] {
    return this.supervisor.status().flatMap(({ name }) => (name === BACKGROUND ? [] : [name]));
  }

  /** Starts watching the processes. Notifies the parent when all of them are serving and the admin port is open. */
  begin(): void {
    this.#ticking = setInterval(() => this.#tick(), TICK_MS);
  }

  async openAdmin(): Promise<void> {
    const { adminHost, adminPort } = this.#input.settings;
    const pages = {
      live: () => this.#live(),
      ready: () => ({ ...readiness(this.supervisor.status()), roles: rolesInForce(this.#input.settings) }),
      metrics: () => {
        const own = supervisorMetrics(this.supervisor, rolesInForce(this.#input.settings));
        this.#page.report('main', process.pid, [...own, ...(this.#probe === null ? [] : probeMetrics(this.#probe))]);
        return this.#page.render();
      },
      knowsHost: (host: string) => this.supervisor.knowsHost(host),
    };
    try {
      this.#admin = await startAdminServer(pages, adminHost, adminPort);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === undefined) throw error;
      throw new StartError(`ENGINE_ADMIN_PORT ${adminPort} on ${adminHost} cannot be used: ${code}`);
    }
  }

  async stop(why: string): Promise<void> {
    if (this.#stopping) return;
    this.#stopping = true;
    const { log } = this.#input;
    log.info({ code: 'engine_draining', why }, 'engine drains');
    this.#probe?.stop();
    await this.supervisor.stop();
    clearInterval(this.#ticking);
    await this.#admin?.stop();
    log.info({ code: 'engine_stopped' }, 'engine stopped');
    // An IPC channel to a parent would keep this process alive.
    if (process.connected) process.disconnect();
  }

  #tick(): void {
    this.#clock.tick();
    this.supervisor.tick();
    const watched = this.#watched();
    if (watched.some(serves)) this.#servedAtMs = this.#clock.now();
    if (!this.#announced && this.#admin !== null && watched.every(({ mode }) => mode === 'serving')) this.#announce(this.#admin);
  }

  /** The processes that serve visitors, or the only process of a host that serves none. */
  #watched(): readonly ProcessStatus[] {
    const status = this.supervisor.status();
    const redirects = status.filter(({ name }) => name !== BACKGROUND);
    return redirects.length > 0 ? redirects : status;
  }

  #announce({ port: adminPort }: PageServer): void {
    const { ports, log } = this.#input;
    this.#announced = true;
    const message: EngineReady = { type: 'ready', port: ports.port, tls_port: ports.tlsPort, admin_port: adminPort };
    log.info({ code: 'engine_serving', port: ports.port, tls_port: ports.tlsPort, admin_port: adminPort }, 'engine serves');
    this.#probe?.start();
    if (process.connected) process.send?.(message);
  }

  #live(): HealthReport {
    const ok = this.#clock.now() - this.#servedAtMs < LIVE_DEADLINE_MS;
    return { status: ok ? 'ok' : 'failing', parts: [{ part: 'engine', ok, reason: ok ? '' : 'no redirect process is serving' }] };
  }
}
