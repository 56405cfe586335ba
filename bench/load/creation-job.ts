import { answerOf } from './pinned-process.js';

/** The job of a process that creates links: over REST if `url` is that of the API, by bare SQL if it is the database's. */
export interface CreationJob {
  readonly over: 'rest' | 'sql';
  readonly url: string;
  readonly secretKey: string;
  readonly environmentId: string;
  readonly clients: number;
  readonly seconds: number;
}

export interface CreationResult {
  readonly created: number;
  readonly failures: number;
  readonly seconds: number;
  readonly p50_ms: number;
  readonly p99_ms: number;
}

const isResult = (message: unknown): message is CreationResult => typeof (message as CreationResult | null)?.created === 'number';

/** Creates links for the time of the job. */
export function runCreationJob(job: CreationJob): Promise<CreationResult> {
  return answerOf(new URL('./creation-process.js', import.meta.url), job, isResult);
}
