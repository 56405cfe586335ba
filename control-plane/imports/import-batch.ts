import type { Link } from '../../shared/contract/schemas/link.js';
import { addImportedClicks, type ClicksOfLink, replaceImportedClicks } from '../links/imported-clicks.js';
import { linkUrl } from '../links/link-row.js';
import { type Attempt, createAttempts, type ImportLine, judgeResult, lineOf, type Result } from './attempt.js';
import { disableLinks } from './disable-links.js';
import { addressesOf, addressOf, findImported, isSame, type LinkIdentity } from './existing-links.js';
import type { ImportTarget } from './import-target.js';
import { type FoundLink, lackingFields } from './lacking-fields.js';
import { withOwnHosts } from './own-hosts.js';
import { type PlannedLink, planLink } from './plan-link.js';
import { withoutRefused } from './refused-fields.js';
import { contestedPlans, heldBack } from './shared-addresses.js';
import { type SourceLink, withPaths } from './sources/source-link.js';
import { Trial } from './trial.js';

/** The largest number of rows of clicks in one statement, apart from the further rows of its last link. */
const CLICK_ROWS_MAX = 10_000;

/**
 * In how many rounds of a batch links wait for earlier ones. No real file has this many different links with one alias, and a file made for
 * that purpose must not take a round for each link.
 */
const HELD_ROUNDS_MAX = 50;

const NONE: ReadonlySet<Attempt> = new Set();

/**
 * Tries each link as it is, then without the fields that were refused, then as an alias if its path is taken and the caller asked for that.
 * Links that any run has created before are looked up first, so that a run that is killed and started again duplicates nothing. The same
 * applies to a link of this batch that has a second row. Of the links that want the same address, the first one has it.
 */
export async function importBatch(read: readonly SourceLink[], given: ImportTarget): Promise<readonly ImportLine[]> {
  const sources = read.map(withPaths);
  const hosts = await withOwnHosts(sources, given, given.database);
  const batch = new ImportBatch({ ...given, hosts, ...(given.dryRun ? { trial: new Trial(given.trial) } : {}) });
  let left = await batch.clear(await batch.find(batch.begin(sources)));
  while (left.length > 0) left = await batch.find(await batch.create(left));
  await batch.finish();
  return sources.map((source) => batch.lineOf(source));
}

/** What has become of the links of one batch so far. */
class ImportBatch {
  readonly #target: ImportTarget;
  readonly #lines = new Map<SourceLink, ImportLine>();
  /** The ids of the links that were found or created. */
  readonly #ids = new Map<SourceLink, string>();
  readonly #found: FoundLink[] = [];
  readonly #made: (readonly [PlannedLink, Link])[] = [];
  /** The links that were created, by each address at which they would be found. */
  readonly #madeAt = new Map<string, KnownLink>();
  #heldRounds = 0;

  constructor(target: ImportTarget) {
    this.#target = target;
  }

  /** Returns the first attempt of each row that says enough to be a link. */
  begin(sources: readonly SourceLink[]): readonly Attempt[] {
    const whole: SourceLink[] = [];
    for (const source of sources) {
      const { row = null, id, fault } = source;
      if (fault === undefined) whole.push(source);
      else this.#lines.set(source, { row, id, outcome: 'failed', url: null, lost: [], reason: fault });
    }
    return whole.map((source) => ({ plan: planLink(source, this.#target, false), byAlias: false }));
  }

  /** Records the links that exist. Returns the attempts of the others. */
  async find(attempts: readonly Attempt[]): Promise<readonly Attempt[]> {
    const { database, environment, form, linkHost } = this.#target;
    const plans = attempts.map(({ plan }) => plan);
    const stored = await findImported(database, environment.id, plans);
    for (const plan of plans) {
      const existing = stored.get(plan) ?? sameOf(this.#madeAt.get(addressOf(plan)), plan) ?? triedOf(plan, this.#target);
      if (existing === null) continue;
      const url = 'url' in existing ? existing.url : linkUrl(form, existing.domain ?? linkHost, existing.path);
      this.#lines.set(plan.source, { ...lineOf(plan, 'exists'), url });
      this.#ids.set(plan.source, existing.id);
      this.#found.push({ plan: foundPlan(plan, existing), id: existing.id, link: 'link' in existing ? existing.link : null });
    }
    return attempts.filter(({ plan }) => !this.#ids.has(plan.source));
  }

  /**
   * Leaves out the fields that would be refused, of links that want the same address as another one. A link that is refused for a field is
   * only created by the next call, and the other one would have its address by then.
   */
  async clear(attempts: readonly Attempt[]): Promise<readonly Attempt[]> {
    const contested = [...contestedPlans(attempts.map(({ plan }) => plan))];
    if (contested.length === 0) return attempts;
    const judged = await withoutRefused(contested, this.#target);
    const planOf = new Map(contested.map((plan, index) => [plan, judged[index]?.plan]));
    return attempts.map((attempt) => ({ ...attempt, plan: planOf.get(attempt.plan) ?? attempt.plan }));
  }

  /**
   * Creates the links. Returns the next attempts of those that were refused and may be possible in another way, and of those that have to
   * wait for them.
   */
  async create(attempts: readonly Attempt[]): Promise<readonly Attempt[]> {
    const held = this.#heldBack(attempts);
    const wanted = attempts.filter((attempt) => attempt.conflict === undefined && !held.has(attempt));
    const resultOf = await createAttempts(wanted, this.#target);
    const again: Attempt[] = [];
    for (const attempt of attempts) {
      const { plan, conflict } = attempt;
      if (held.has(attempt)) {
        again.push(attempt);
        continue;
      }
      const result = conflict ?? (resultOf.get(attempt) as Result);
      if ('link' in result) this.#noteMade(plan, result.link);
      const next = judgeResult(attempt, result, this.#target);
      if ('plan' in next) again.push(next);
      else this.#lines.set(plan.source, next);
    }
    return again;
  }

  /** Only a link that becomes an alias takes an address later than it was refused. */
  #heldBack(attempts: readonly Attempt[]): ReadonlySet<Attempt> {
    if (this.#target.collision !== 'alias' || this.#heldRounds === HELD_ROUNDS_MAX) return NONE;
    const held = heldBack(attempts);
    if (held.size > 0) this.#heldRounds++;
    return held;
  }

  #noteMade(plan: PlannedLink, link: Link): void {
    this.#ids.set(plan.source, link.id);
    this.#made.push([plan, link]);
    const known = knownLink(link);
    for (const address of addressesOf(plan)) this.#madeAt.set(address, known);
  }

  /**
   * Reports what the existing links lack compared to their sources, and stores what is not a field of a link: earlier clicks, and that a
   * link was disabled.
   */
  async finish(): Promise<void> {
    const lost = await lackingFields(this.#found, this.#target);
    for (const [index, { plan }] of this.#found.entries())
      this.#lines.set(plan.source, { ...this.lineOf(plan.source), lost: lost[index] as readonly string[] });
    if (!this.#target.dryRun) {
      const made = new Set(this.#made.map(([{ source }]) => source));
      await storeClicks(this.#ids, made, this.#target);
      await disableExisting(this.#ids, made, this.#target);
    }
    this.#target.trial?.end();
  }

  lineOf(source: SourceLink): ImportLine {
    return this.#lines.get(source) as ImportLine;
  }
}

/** The plan of a link that exists. If its source has disabled it, but it is active and was changed here, its status is reported as lost. */
function foundPlan(plan: PlannedLink, existing: LinkIdentity): PlannedLink {
  const isActive = plan.source.disabled && 'is_active' in existing && existing.is_active === true && existing.is_changed;
  return isActive ? { ...plan, lost: [...new Set([...plan.lost, 'status'])] } : plan;
}

/** A link of this batch, or of an earlier batch of a trial, which rolls its calls back. So it is not among the stored links. */
interface KnownLink extends LinkIdentity {
  readonly id: string;
  /** Null if the link would get a generated path, which would be another one. */
  readonly url: string | null;
  /** Null if the link is of an earlier batch. */
  readonly link: Link | null;
}

function knownLink(link: Link): KnownLink {
  const { id, url, destinations, created_at, domain } = link;
  return { id, url, link, web: destinations?.web ?? null, created_at: new Date(created_at), domain: domain ?? null, is_changed: false };
}

/** The link, if the plan describes the very same one because its row comes twice; otherwise null. */
function sameOf(made: KnownLink | undefined, plan: PlannedLink): KnownLink | null {
  return made !== undefined && isSame(made, plan) ? made : null;
}

/** The link, if an earlier batch of this trial has it; otherwise null. */
function triedOf(plan: PlannedLink, { trial, form, linkHost }: ImportTarget): KnownLink | null {
  if (trial?.has(plan, linkHost) !== true) return null;
  const { path, domain, destinations } = plan.body;
  const url = path === undefined ? null : linkUrl(form, domain ?? linkHost, path);
  return { id: '', url, link: null, web: destinations?.web ?? null, created_at: new Date(0), domain: domain ?? null, is_changed: false };
}

/**
 * Disables the links that the source has disabled after an earlier run had created them. Those that this run has created were never active.
 * A link that was changed here since stays as it is: somebody may have set the password that the source does not reveal, and enabled the
 * link.
 */
async function disableExisting(
  ids: ReadonlyMap<SourceLink, string>,
  made: ReadonlySet<SourceLink>,
  { database }: ImportTarget,
): Promise<void> {
  const off = [...ids].flatMap(([source, id]) => (source.disabled && !made.has(source) ? id : []));
  if (off.length > 0) await disableLinks(database, off);
}

/**
 * Stores earlier clicks, also those of links that an earlier run has created. What the source says now counts, and of a row that comes
 * twice, the last one.
 */
async function storeClicks(ids: ReadonlyMap<SourceLink, string>, made: ReadonlySet<SourceLink>, target: ImportTarget): Promise<void> {
  const added: ClicksOfLink[] = [];
  const replaced = new Map<string, readonly ClicksOfLink[]>();
  for (const [source, link_id] of ids) {
    const rows = (source.clicks ?? []).map(({ source = target.sourceName, day, clicks }) => ({ link_id, source, day, clicks }));
    if (made.has(source)) added.push(...rows);
    else if (rows.length > 0) replaced.set(link_id, rows);
  }
  for (const rows of partsOf(added)) await addImportedClicks(target.database, rows);
  for (const rows of partsOf([...replaced.values()].flat())) await replaceImportedClicks(target.database, rows);
}

/** Splits the rows. The rows of one link stay together, because they replace those that it has. */
function* partsOf(rows: readonly ClicksOfLink[]): Iterable<readonly ClicksOfLink[]> {
  for (let from = 0; from < rows.length; ) {
    let to = Math.min(rows.length, from + CLICK_ROWS_MAX);
    while (to < rows.length && rows[to]?.link_id === rows[to - 1]?.link_id) to++;
    yield rows.slice(from, to);
    from = to;
  }
}
