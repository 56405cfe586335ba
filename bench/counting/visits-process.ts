import { setTimeout } from 'node:timers/promises';
import { VisitConnection } from './visit-connection.js';
import { createVisitCounter } from './visit-counts.js';
import { createRequestText, createVisitDraw, type DrawnVisit } from './visit-plan.js';
import type { VisitJob, VisitResult } from './visits.js';

const CONNECTIONS = 32;
/** Requests under way at once on each connection, at full rate. */
const PIPELINED = 16;
/** At a steady rate. A head that is cut within its request line, as one of a longer queue may be, is refused by uWebSockets.js 20.49. */
const PIPELINED_MAX = 256;
/** How often a steady rate sends what is due. */
const BURST_MS = 2;
/** How long the last answers are waited for. */
const ANSWERS_MS_MAX = 10_000;

/** Visits links for as long as it is told, and answers what came of it. */
async function visit(job: VisitJob): Promise<VisitResult> {
  const counter = createVisitCounter(job.paths.length, job.watchedLink);
  const draw = createVisitDraw(job.paths.length);
  const requestText = createRequestText(job.host, job.paths);
  const other_statuses: Record<string, number> = {};
  const beganAt = performance.now();
  let lastAnswerMs = beganAt;
  let isOver = false;
  const send = (connection: VisitConnection, count: number): void => {
    const visits: DrawnVisit[] = Array.from({ length: count }, draw);
    connection.send(visits, visits.map(requestText).join(''));
  };
  const connections = Array.from(
    { length: CONNECTIONS },
    () =>
      new VisitConnection({
        port: job.port,
        onAnswer(visit, status) {
          lastAnswerMs = performance.now();
          if (status === 302) counter.count(visit);
          else other_statuses[status] = (other_statuses[status] ?? 0) + 1;
        },
        onIdle(connection) {
          if (job.rate === null && !isOver) send(connection, PIPELINED);
        },
      }),
  );
  if (job.rate === null) for (const connection of connections) send(connection, PIPELINED);
  const sendDue = job.rate === null ? () => {} : steadySender(job.rate, job.seconds, connections, send);
  const timer = setInterval(() => sendDue(false), BURST_MS);
  await setTimeout(job.seconds * 1000);
  clearInterval(timer);
  isOver = true;
  sendDue(true);
  const unanswered = await untilAnswered(connections);
  for (const connection of connections) connection.close();
  const { user, system } = process.cpuUsage();
  return {
    counts: counter.counts(),
    seconds: (lastAnswerMs - beganAt) / 1000,
    last_answer_at_ms: Date.now() - (performance.now() - lastAnswerMs),
    other_statuses,
    unanswered,
    cpu_us: user + system,
  };
}

/**
 * Returns what sends the visits that are due, answered or not, on one connection after the other. All are due in the end. While
 * no connection has room they wait: the rate that is reached is part of the result.
 */
function steadySender(
  rate: number,
  seconds: number,
  connections: readonly VisitConnection[],
  send: (connection: VisitConnection, count: number) => void,
): (isLast: boolean) => void {
  const beganAt = performance.now();
  let sent = 0;
  let turn = 0;
  return (isLast) => {
    // A timer may end a fraction of a millisecond early.
    const elapsed = isLast ? seconds : Math.min(seconds, (performance.now() - beganAt) / 1000);
    for (let due = Math.floor(elapsed * rate) - sent; due > 0; due -= PIPELINED) {
      const connection = connections[turn++ % connections.length] as VisitConnection;
      if (connection.underWay > PIPELINED_MAX - PIPELINED) return;
      const count = Math.min(due, PIPELINED);
      send(connection, count);
      sent += count;
    }
  };
}

/** Returns how many are still without an answer when the wait ends. */
async function untilAnswered(connections: readonly VisitConnection[]): Promise<number> {
  const endsAt = performance.now() + ANSWERS_MS_MAX;
  const underWay = () => connections.reduce((sum, connection) => sum + connection.underWay, 0);
  while (underWay() > 0 && performance.now() < endsAt) await setTimeout(5);
  return underWay();
}

process.once('message', async (job: VisitJob) => {
  process.send?.(await visit(job));
});
