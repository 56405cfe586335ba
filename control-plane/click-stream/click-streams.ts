import type { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { CLICK_STREAMS_MAX, CLICK_STREAMS_OF_KEY_MAX } from '../../shared/base/limits.js';
import type { Logger } from '../../shared/base/log.js';
import { ClickHouseUnavailableError } from '../../shared/clickhouse/connection.js';
import type { ClickStore } from '../click-store/click-store.js';
import { type Database, DatabaseUnavailableError } from '../db/database.js';
import { Budget, tooMany } from '../http/budget.js';
import { refuseUnavailable } from '../http/problems.js';
import { findEnvironmentNumber } from '../projects/projects.js';
import { StreamConnection } from './connection.js';
import { EnvironmentClicks } from './environment-clicks.js';
import { RESUME_SECONDS } from './limits.js';
import { eventId, type Position, positionOf } from './position.js';
import { progressFrom, type StreamProgress } from './progress.js';
import { readStart } from './sql.js';

/** How far PostgreSQL's clock may be set back while a client reconnects. */
const CLOCK_SLACK_SECONDS = 60;

/** How long a client should wait before it reconnects, in milliseconds, as EventSource interprets `retry`. */
const RETRY_MS = 1_000;

export interface StreamWanted {
  readonly environmentId: string;
  readonly keyId: string;
  /** The id of the last event that the client received; null to begin with new clicks. */
  readonly after: string | null;
}

export interface ClickStreamsSettings {
  readonly database: Database;
  readonly clickStore: Pick<ClickStore, 'streamed'>;
  readonly log: Logger;
  readonly monotonicMs: () => number;
  /** Called with the number of open streams when it changes. */
  readonly onCount?: (open: number) => void;
}

/** The streams of clicks that this control plane has open, with one reader of the click log for each environment. */
export class ClickStreams {
  readonly #settings: ClickStreamsSettings;
  readonly #environments = new Map<number, EnvironmentClicks>();
  readonly #budget = new Budget({
    refusals: tooMany('streams of clicks are open'),
    max: CLICK_STREAMS_MAX,
    holderMax: CLICK_STREAMS_OF_KEY_MAX,
  });
  #isStopping = false;

  constructor(settings: ClickStreamsSettings) {
    this.#settings = settings;
  }

  /**
   * Reads where the stream begins. Throws the database's errors, before anything is sent. Returns a function that opens the stream. That
   * function throws 429 if the key has its maximum number of streams, and 503 if all streams are in use or the server is shutting down.
   */
  async prepare({ environmentId, keyId, after: id }: StreamWanted): Promise<() => Readable> {
    const { database } = this.#settings;
    const environmentNumber = await findEnvironmentNumber(database, environmentId);
    const start = await readStart(database);
    const after = id === null ? null : positionOf(id, start.position.server);
    const canResume = after !== null && canResumeFrom(after, start);
    return () => {
      if (this.#isStopping) throw refuseUnavailable('The server is shutting down.');
      this.#budget.take(keyId, 1);
      this.#told();
      const connection = new StreamConnection(keyId, canResume ? progressFrom(after) : start, this.#settings.monotonicMs());
      connection.stream.on('close', () => {
        this.#budget.giveBack(keyId, 1);
        this.#told();
      });
      // An id without an event still sets the client's last event id, so that it can resume from here before the first click.
      const reset = after === null || canResume ? '' : 'event: reset\ndata: {"reason":"expired"}\n\n';
      connection.send(`retry: ${RETRY_MS}\nid: ${eventId(connection.progress.position)}\n\n${reset}`, connection.openedMs);
      this.#environment(environmentNumber).add(
        connection,
        () => this.#environments.delete(environmentNumber),
        (error) => this.#failed(error),
      );
      return connection.stream;
    };
  }

  /** Ends every stream with a last event. Its client reconnects to another control plane. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    const environments = [...this.#environments.values()];
    for (const environment of environments) environment.endAll('shutdown');
    await Promise.all(environments.map((environment) => environment.idle()));
  }

  #environment(number: number): EnvironmentClicks {
    const found = this.#environments.get(number);
    if (found !== undefined) return found;
    const { database, clickStore, monotonicMs } = this.#settings;
    const made = new EnvironmentClicks({
      database,
      clickStore,
      environmentNumber: number,
      monotonicMs,
      wait: (milliseconds) => sleep(milliseconds, undefined, { ref: false }),
    });
    this.#environments.set(number, made);
    return made;
  }

  #told(): void {
    this.#settings.onCount?.(this.#budget.stats().held);
  }

  #failed(error: unknown): void {
    const isAway = error instanceof DatabaseUnavailableError || error instanceof ClickHouseUnavailableError;
    const level = isAway ? 'warn' : 'error';
    this.#settings.log[level]({ code: 'click_streams_ended', err: error }, 'streams of clicks were ended');
  }
}

/**
 * Whether a stream can resume from the position: it must not be too old, and be from this server. A server whose disk was restored to an
 * earlier state has not begun the position's transaction. A time that has not come yet was never sent: it would outlive the limit, and
 * other streams that continue from the position would pass it on.
 */
function canResumeFrom(after: Position, { position, ended }: StreamProgress): boolean {
  const age = position.at_s - after.at_s;
  return after.server === position.server && after.xid <= ended.next && age >= -CLOCK_SLACK_SECONDS && age <= RESUME_SECONDS;
}
