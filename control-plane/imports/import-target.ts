import type { Collision } from '../../shared/contract/schemas/link-import.js';
import type { LinkUrlForm } from '../../shared/resolve/link-origin.js';
import type { Database } from '../db/database.js';
import type { NewLinks } from '../links/bulk.js';
import type { TargetHosts } from './plan-link.js';
import type { Trial } from './trial.js';

/** Where links are imported to, and how. */
export interface ImportTarget extends TargetHosts {
  readonly database: Database;
  readonly environment: NewLinks['environment'];
  readonly form: LinkUrlForm;
  /** The service under which earlier clicks are stored, unless the source names another one. */
  readonly sourceName: string;
  readonly collision: Collision;
  readonly dryRun: boolean;
  /** The links that a trial has tried so far. A batch that is tried alone begins one itself. */
  readonly trial?: Trial;
  /** The `created_by` of the links. */
  readonly createdBy: string;
  readonly nowMs: () => number;
}
