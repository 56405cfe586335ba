import type { Collision } from '../../shared/contract/schemas/link-import.js';
import type { LinkUrlForm } from '../../shared/resolve/link-origin.js';
import type { Database } from '../db/database.js';
import type { CallerEnvironment } from '../http/authenticate.js';
import type { TargetHosts } from './plan-link.js';
import type { Trial } from './trial.js';

/** Where links are imported to, and how. */
export interface ImportTarget extends TargetHosts {
  readonly database: Database;
  readonly environment: CallerEnvironment;
  readonly form: LinkUrlForm;
  /** What clicks of before are noted under, unless the source names another service. */
  readonly sourceName: string;
  readonly collision: Collision;
  readonly dryRun: boolean;
  /** What a trial of several batches has tried so far. */
  readonly trial?: Trial;
  /** What links name as their maker. */
  readonly createdBy: string;
  readonly nowMs: () => number;
}
