import { setTimeout } from 'node:timers/promises';
import { VisitConnection } from './visit-connection.js';
import { createVisitCounter } from './visit-counts.js';
import { createRequestText, createVisitDraw, type DrawnVisit } from './visit-plan.js';
import type { VisitJob, VisitResult } from './visits.js';

const CONNECTIONS = 32;
/** Requests under way at once on each connection, at full rate. */
const PIPELINED = 16;
/** At a steady rate. uWebSockets.js 20.49 refuses a head that is cut within its request line, as one of a longer queue may be. */
const PIPELINED_MAX = 256;
/** How often due visits are sent at a steady rate. */
const BURST_MS = 2;
/** How long to wait for the last answers. */
const ANSWERS_MS_MAX = 10_000;

/** Visits links for the time of the job, and returns the result. */
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
 * Returns a function that sends the visits that are due, answered or not, on one connection after the other. All are
 * due in the end. While no connection has room they wait, so the rate that is reached is part of the result.
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

/** Returns how many visits are still without an answer when the wait ends. */
async function untilAnswered(connections: readonly VisitConnection[]): Promise<number> {
  const endsAt = performance.now() + ANSWERS_MS_MAX;
  const underWay = () => connections.reduce((sum, connection) => sum + connection.underWay, 0);
  while (underWay() > 0 && performance.now() < endsAt) await setTimeout(5);
  return underWay();
}

process.once('message', async (job: VisitJob) => {
  process.send?.(await visit(job));
});
