import { answerOf } from '../load/pinned-process.js';
import type { VisitCounts } from './visit-counts.js';

/** The job of a process that visits links. */
export interface VisitJob {
  readonly port: number;
  readonly host: string;
  /** Without their leading slash. */
  readonly paths: readonly string[];
  readonly seconds: number;
  /** Visits per second, sent whether or not earlier ones are answered; null for as many as are answered. */
  readonly rate: number | null;
  /** Index of the link that is counted separately. */
  readonly watchedLink: number;
}

export interface VisitResult {
  readonly counts: VisitCounts;
  /** From the first visit to the last answer. */
  readonly seconds: number;
  readonly last_answer_at_ms: number;
  /** How many answers were not redirects, by status. */
  readonly other_statuses: Readonly<Record<string, number>>;
  /** Visits that had no answer some seconds after the last one was sent. */
  readonly unanswered: number;
  /** CPU time of the client, in microseconds. */
  readonly cpu_us: number;
}

const isResult = (message: unknown): message is VisitResult => typeof (message as VisitResult | null)?.unanswered === 'number';

/** Visits links for the time of the job. */
export function runVisits(job: VisitJob): Promise<VisitResult> {
  return answerOf(new URL('./visits-process.js', import.meta.url), job, isResult);
}
