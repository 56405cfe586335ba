import { URL_FIELDS } from '../../shared/metadata/configuration.js';
import { blockedUrls } from '../blocklist/check.js';
import type { Database, Queryable } from '../db/database.js';
import { invalidateItems } from '../resources/invalidate.js';

/** How many answers one step reads. */
const STEP_ANSWERS = 1_000;

/**
 * The prefix of a scan's cursor after all links were read. It sorts before the ids of links, so that a release that does not know such a
 * cursor starts with the links again.
 */
const MARK = 'answers/';

/** The cursor before the first answer. */
export const BEFORE_ANSWERS = `${MARK}["",0,""]`;

export function isAmongAnswers(cursor: string): boolean {
  return cursor.startsWith(MARK);
}

interface ScannedAnswer {
  readonly environment_id: string;
  readonly resource_type_id: string;
  readonly generation: number;
  readonly item_id: string;
  readonly metadata: Readonly<Partial<Record<(typeof URL_FIELDS)[number], string | null>>>;
}

export interface AnswersStep {
  /** Where the next step continues; null if there are no more answers. */
  readonly cursor: string | null;
  readonly forgotten: number;
}

/**
 * Forgets remembered answers of metadata APIs that name a listed URL, as an invalidation does. The engines call the API again, and compare
 * its new answer with the list before they show it.
 */
export async function forgetListedAnswers(transaction: Database, cursor: string): Promise<AnswersStep> {
  const answers = await answersAfter(transaction, cursor);
  const listed = await blockedUrls(transaction, answers.flatMap(urlsOf));
  const itemsOf = new Map<string, { readonly environmentId: string; readonly ids: string[] }>();
  for (const answer of answers) {
    if (!urlsOf(answer).some((url) => listed.has(url))) continue;
    const known = itemsOf.get(answer.resource_type_id);
    if (known === undefined) itemsOf.set(answer.resource_type_id, { environmentId: answer.environment_id, ids: [answer.item_id] });
    else known.ids.push(answer.item_id);
  }
  let forgotten = 0;
  for (const [typeId, { environmentId, ids }] of itemsOf) forgotten += await invalidateItems(transaction, environmentId, typeId, ids);
  const last = answers.length === STEP_ANSWERS ? answers.at(-1) : undefined;
  return { cursor: last === undefined ? null : cursorOf(last), forgotten };
}

function urlsOf({ metadata }: ScannedAnswer): readonly string[] {
  return URL_FIELDS.flatMap((field) => metadata[field] ?? []);
}

function cursorOf({ resource_type_id, generation, item_id }: ScannedAnswer): string {
  return MARK + JSON.stringify([resource_type_id, generation, item_id]);
}

/**
 * The answers after the cursor, in the order of their key. Answers of replaced configurations are left out, because nobody is shown them.
 */
async function answersAfter(database: Queryable, cursor: string): Promise<readonly ScannedAnswer[]> {
  const { rows } = await database.query<ScannedAnswer>({
    text: `SELECT api.environment_id, answer.resource_type_id, answer.generation, answer.item_id, answer.metadata
           FROM metadata_answers AS answer JOIN metadata_apis AS api USING (resource_type_id, generation)
           WHERE (answer.resource_type_id, answer.generation, answer.item_id) > ($1, $2, $3) AND answer.outcome = 'ok' AND answer.keep_until > now()
           ORDER BY answer.resource_type_id, answer.generation, answer.item_id LIMIT $4`,
    values: [...(JSON.parse(cursor.slice(MARK.length)) as readonly [string, number, string]), STEP_ANSWERS],
  });
  return rows;
}
