import { setTimeout } from 'node:timers/promises';
import { createRequestText, createVisitDraw } from '../counting/visit-plan.js';
import { percentile } from '../load/statistics.js';
import { VisitorConnection } from './visitor-connection.js';
import type { VisitorsJob, VisitorsOrder, VisitorsResult } from './visitors.js';

/** How often the visits that are due are sent. */
const TICK_MS = 1;

/** The answers counted so far, in order of arrival. */
class Answers {
  readonly #ms: number[] = [];
  #failed = 0;

  add(ms: number, status: number): void {
    if (status === 302) this.#ms.push(ms);
    else this.#failed++;
  }

  result(seconds: number, unanswered: number): VisitorsResult {
    const sorted = Float64Array.from(this.#ms).sort();
    return {
      answered: sorted.length,
      per_second: sorted.length / seconds,
      failed: this.#failed + unanswered,
      p50_ms: percentile(sorted, 0.5),
      p99_ms: percentile(sorted, 0.99),
      p999_ms: percentile(sorted, 0.999),
      max_ms: percentile(sorted, 1),
    };
  }
}

interface Visiting {
  /** Starts to count. */
  begin(): void;
  stop(): Promise<VisitorsResult>;
}

/** How long to wait for the last answers. */
const ANSWERS_MS_MAX = 10_000;

/** Sends visits until it is stopped; then waits for the last answers. */
function visit({ port, host, paths, connections, rate }: VisitorsJob): Visiting {
  const draw = createVisitDraw(paths.length);
  const requestText = createRequestText(host, paths);
  const startedAt = performance.now();
  let answers = new Answers();
  let beganAt = startedAt;
  const idle: VisitorConnection[] = [];
  /** When the visits were due for which no connection was free. */
  const waiting: number[] = [];
  let underWay = 0;
  const send = (connection: VisitorConnection, dueMs: number): void => {
    underWay++;
    connection.send(dueMs, requestText(draw()));
  };
  const onIdle = (connection: VisitorConnection): void => {
    const dueMs = waiting.shift();
    if (dueMs === undefined) idle.push(connection);
    else send(connection, dueMs);
  };
  const onAnswer = (dueMs: number, status: number): void => {
    underWay--;
    answers.add(performance.now() - dueMs, status);
  };
  const all = Array.from({ length: connections }, () => new VisitorConnection({ port, onAnswer, onIdle }));
  let sent = 0;
  const sendDue = (): void => {
    const due = Math.floor(((performance.now() - startedAt) / 1000) * rate);
    for (; sent < due; sent++) {
      const dueMs = startedAt + (sent * 1000) / rate;
      const connection = idle.pop();
      if (connection === undefined) waiting.push(dueMs);
      else send(connection, dueMs);
    }
  };
  const timer = setInterval(sendDue, TICK_MS);
  return {
    begin() {
      answers = new Answers();
      beganAt = performance.now();
    },
    async stop() {
      clearInterval(timer);
      const seconds = (performance.now() - beganAt) / 1000;
      const endsAt = performance.now() + ANSWERS_MS_MAX;
      while (underWay + waiting.length > 0 && performance.now() < endsAt) await setTimeout(5);
      for (const connection of all) connection.close();
      return answers.result(seconds, underWay + waiting.length);
    },
  };
}

process.once('message', (job: VisitorsJob) => {
  const visiting = visit(job);
  process.on('message', async (told: VisitorsOrder) => {
    if (told === 'begin') visiting.begin();
    else process.send?.(await visiting.stop());
  });
});
