import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdirSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { choosePorts } from '../../deploy/local/ports.js';
import { PROGRAM_PATH } from './programs.js';
import { readTreeFile } from './source-tree.js';
import { temporaryFolder } from './temporary-folder.js';
import { until } from './until.js';

/**
 * Returns the rules with shorter durations, and otherwise as they are. In `for`, a minute becomes a second, and
 * `seconds` are the maximum. The windows of rates, increases and subqueries last this many seconds. The thresholds stay. Series
 * come once a second.
 */
export function shortenedRules(rules: string, seconds: number): string {
  const waited = (count: string, unit: string) => Math.min(Number(count) * (unit === 'h' ? 60 : 1), seconds);
  return rules
    .replace(/^( *)for: (\d+)([mh])$/gm, (_, indent, count, unit) => `${indent}for: ${waited(count, unit)}s`)
    .replace(/\[\d+[mh]\]/g, `[${seconds}s]`)
    .replace(/\[\d+[mh]:\d+s\]/g, `[${seconds}s:1s]`);
}

/** Rules are evaluated once a second, so looking more often only takes time from what is watched. */
const LOOK_MS = 200;

export interface ActiveAlert {
  readonly state: 'pending' | 'firing';
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
}

export interface TestPrometheus {
  /** Returns the alerts that fire now, each with its labels. */
  firing(): Promise<readonly ActiveAlert[]>;
  untilFires(alert: string, timeoutMs?: number): Promise<ActiveAlert>;
  untilClears(alert: string, timeoutMs?: number): Promise<void>;
  /** Waits until no alert fires. */
  untilCalm(timeoutMs?: number): Promise<void>;
}

interface Teardown {
  teardown(fn: () => unknown): void;
}

/** The watched admin ports, by job. */
export interface Targets {
  readonly engine: number;
  readonly controlPlane: number;
}

/** Starts a Prometheus server with `deploy/prometheus/rules.yaml`, shortened, which scrapes the two jobs once a second. */
export async function startPrometheus(t: Teardown, { engine, controlPlane }: Targets, seconds: number): Promise<TestPrometheus> {
  const dir = temporaryFolder(t);
  writeFileSync(join(dir, 'rules.yaml'), shortenedRules(readTreeFile('deploy/prometheus/rules.yaml'), seconds));
  const configuration = readTreeFile('deploy/prometheus/prometheus.yaml')
    .replaceAll('15s', '1s')
    .replace('localhost:9090', `127.0.0.1:${engine}`)
    .replace('localhost:9091', `127.0.0.1:${controlPlane}`);
  writeFileSync(join(dir, 'prometheus.yaml'), configuration);
  const { web } = await choosePorts({ web: { setting: 'the port of Prometheus', host: '127.0.0.1', port: 0 } }, 0);
  const child = startServer(dir, web);
  t.teardown(() => end(child));
  const origin = `http://127.0.0.1:${web}`;
  const outputOf = () => readFileSync(join(dir, 'prometheus.log'), 'utf8').slice(-2000);
  const isReady = () =>
    fetch(`${origin}/-/ready`).then(
      ({ ok }) => ok,
      () => false,
    );
  await until(() => isReady().then((ready) => ready || failIfEnded(child, outputOf)), 'Prometheus to be ready', 60_000);
  const looksAt = async (job: string) => {
    const answer = await fetch(`${origin}/api/v1/query?query=${encodeURIComponent(`up{job="${job}"}`)}`);
    return ((await answer.json()) as { data: { result: readonly unknown[] } }).data.result.length > 0;
  };
  // Until then a job has no target, which alerts: targets are scraped from some 5 s after the start, and the shortened durations are less.
  for (const job of ['link-service-engine', 'link-service-control-plane']) await until(() => looksAt(job), `a scrape of ${job}`, 60_000);
  const active = async () => {
    const answer = (await (await fetch(`${origin}/api/v1/alerts`)).json()) as { data: { alerts: readonly ActiveAlert[] } };
    return answer.data.alerts;
  };
  const firing = async () => (await active()).filter(({ state }) => state === 'firing');
  const look = async () => {
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
    return firing();
  };
  const named = async (alert: string) => (await look()).find(({ labels }) => labels.alertname === alert);
  return {
    firing,
    untilFires: (alert, timeoutMs = 60_000) => until(() => named(alert), `${alert} to fire`, timeoutMs),
    async untilClears(alert, timeoutMs = 60_000) {
      await until(async () => (await named(alert)) === undefined, `${alert} to be over`, timeoutMs);
    },
    async untilCalm(timeoutMs = 60_000) {
      await until(async () => (await look()).length === 0, 'every alert to be over', timeoutMs);
    },
  };
}

function startServer(dir: string, port: number): ChildProcess {
  mkdirSync(join(dir, 'data'));
  const output = openSync(join(dir, 'prometheus.log'), 'a');
  const parameters = [`--config.file=${join(dir, 'prometheus.yaml')}`, `--storage.tsdb.path=${join(dir, 'data')}`];
  const child = spawn('prometheus', [...parameters, `--web.listen-address=127.0.0.1:${port}`], {
    stdio: ['ignore', output, output],
    env: { ...process.env, PATH: PROGRAM_PATH },
  });
  closeSync(output);
  return child;
}

function failIfEnded(child: ChildProcess, output: () => string): false {
  if (child.exitCode !== null || child.signalCode !== null) throw new Error(`Prometheus ended:\n${output()}`);
  return false;
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGKILL');
  await ended;
}
