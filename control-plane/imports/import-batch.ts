import type { Link } from '../../shared/contract/schemas/link.js';
import { addImportedClicks, type ClicksOfLink, replaceImportedClicks } from '../links/imported-clicks.js';
import { linkUrl } from '../links/link-row.js';
import { type Attempt, createAttempts, type ImportLine, judgeResult, lineOf, type Result } from './attempt.js';
import { disableLinks } from './disable-links.js';
import { addressOf, findImported, isSame, type LinkIdentity } from './existing-links.js';
import type { ImportTarget } from './import-target.js';
import { type FoundLink, lackingFields } from './lacking-fields.js';
import { withOwnHosts } from './own-hosts.js';
import { type PlannedLink, planLink } from './plan-link.js';
import { type SourceLink, withPaths } from './sources/source-link.js';

/** Rows of clicks in one statement, but for those of its last link. */
const CLICK_ROWS_MAX = 10_000;

/**
 * Each link is tried as it is, then without the fields that were refused, then by an alias if its path is taken and that
 * was asked for. Whatever run has made a link before is found again first, so that a run that is killed and begun again
 * doubles nothing; so is a link of this batch by a second row of the same one.
 */
export async function importBatch(read: readonly SourceLink[], given: ImportTarget): Promise<readonly ImportLine[]> {
  const sources = read.map(withPaths);
  const target = { ...given, hosts: await withOwnHosts(sources, given, given.database) };
  const batch = new ImportBatch(target);
  let left = batch.begin(sources);
  while (left.length > 0) left = await batch.create(await batch.find(left));
  await batch.finish();
  return sources.map((source) => batch.lineOf(source));
}

/** What has become of the links of one batch so far. */
class ImportBatch {
  readonly #target: ImportTarget;
  readonly #lines = new Map<SourceLink, ImportLine>();
  /** Of the links that were found or made. */
  readonly #ids = new Map<SourceLink, string>();
  readonly #found: FoundLink[] = [];
  readonly #made: (readonly [PlannedLink, Link])[] = [];
  /** Those that were made, by the address that they would be found at. */
  readonly #madeAt = new Map<string, KnownLink>();

  constructor(target: ImportTarget) {
    this.#target = target;
  }

  /** The first attempt of each row that says enough to be a link. */
  begin(sources: readonly SourceLink[]): readonly Attempt[] {
    const whole: SourceLink[] = [];
    for (const source of sources) {
      const { id, fault } = source;
      if (fault === undefined) whole.push(source);
      else this.#lines.set(source, { id, outcome: 'failed', url: null, lost: [], reason: fault });
    }
    return whole.map((source) => ({ plan: planLink(source, this.#target, false), byAlias: false }));
  }

  /** Notes the links that exist. Returns the attempts of the others. */
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

  /** Makes the links. Returns the next attempts of those that were refused and may be had in another way. */
  async create(attempts: readonly Attempt[]): Promise<readonly Attempt[]> {
    const wanted = attempts.filter(({ conflict }) => conflict === undefined);
    const resultOf = await createAttempts(wanted, this.#target);
    const again: Attempt[] = [];
    for (const attempt of attempts) {
      const { plan, conflict } = attempt;
      const result = conflict ?? (resultOf.get(attempt) as Result);
      if ('link' in result) this.#noteMade(plan, result.link);
      const next = judgeResult(attempt, result, this.#target);
      if ('plan' in next) again.push(next);
      else this.#lines.set(plan.source, next);
    }
    return again;
  }

  #noteMade(plan: PlannedLink, link: Link): void {
    this.#ids.set(plan.source, link.id);
    this.#made.push([plan, link]);
    this.#madeAt.set(addressOf(plan), knownLink(link));
  }

  /** Says what the links that exist lack of what the source says, and stores what is not a field of a link: clicks of before, and that one was switched off. */
  async finish(): Promise<void> {
    const lost = await lackingFields(this.#found, this.#target);
    for (const [index, { plan }] of this.#found.entries())
      this.#lines.set(plan.source, { ...this.lineOf(plan.source), lost: lost[index] as readonly string[] });
    if (!this.#target.dryRun) {
      const made = new Set(this.#made.map(([{ source }]) => source));
      await storeClicks(this.#ids, made, this.#target);
      await disableExisting(this.#ids, made, this.#target);
    }
    // Once the batch is through: one that is repeated would find itself.
    for (const [plan, link] of this.#made) this.#target.trial?.add(plan, link, this.#target.linkHost);
  }

  lineOf(source: SourceLink): ImportLine {
    return this.#lines.get(source) as ImportLine;
  }
}

/** The plan of a link that exists. One that its source has switched off, and that is on here, lacks that. */
function foundPlan(plan: PlannedLink, existing: LinkIdentity): PlannedLink {
  const isOn = plan.source.disabled && 'is_on' in existing && existing.is_on === true && existing.is_changed;
  return isOn ? { ...plan, lost: [...new Set([...plan.lost, 'status'])] } : plan;
}

/** A link of this batch, or of an earlier one of a trial, which takes them back: it is not among those that are stored. */
interface KnownLink extends LinkIdentity {
  readonly id: string;
  /** Null if it would get another one. */
  readonly url: string | null;
  /** Null of an earlier batch. */
  readonly link: Link | null;
}

function knownLink(link: Link): KnownLink {
  const { id, url, destinations, created_at, domain } = link;
  return { id, url, link, web: destinations?.web ?? null, created_at: new Date(created_at), domain: domain ?? null, is_changed: false };
}

/** The link, if the plan is one of the very same: its row comes twice. */
function sameOf(made: KnownLink | undefined, plan: PlannedLink): KnownLink | null {
  return made !== undefined && isSame(made, plan) ? made : null;
}

/** The link, if an earlier batch of this trial has it. */
function triedOf(plan: PlannedLink, { trial, form, linkHost }: ImportTarget): KnownLink | null {
  if (trial?.has(plan, linkHost) !== true) return null;
  const { path, domain, destinations } = plan.body;
  const url = path === undefined ? null : linkUrl(form, domain ?? linkHost, path);
  return { id: '', url, link: null, web: destinations?.web ?? null, created_at: new Date(0), domain: domain ?? null, is_changed: false };
}

/**
 * Links that the source switched off after an earlier run had made them. What this run has made was never on. A link that was changed here
 * since stays as it is: somebody may have given it the password that the source does not tell, and switched it on.
 */
async function disableExisting(
  ids: ReadonlyMap<SourceLink, string>,
  made: ReadonlySet<SourceLink>,
  { database }: ImportTarget,
): Promise<void> {
  const off = [...ids].flatMap(([source, id]) => (source.disabled && !made.has(source) ? id : []));
  if (off.length > 0) await disableLinks(database, off);
}

/** Clicks of before, also of links that an earlier run has made: what the source says now counts, and of a row that comes twice the last one. */
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

/** The rows of one link go together, since they replace what it has. */
function* partsOf(rows: readonly ClicksOfLink[]): Iterable<readonly ClicksOfLink[]> {
  for (let from = 0; from < rows.length; ) {
    let to = Math.min(rows.length, from + CLICK_ROWS_MAX);
    while (to < rows.length && rows[to]?.link_id === rows[to - 1]?.link_id) to++;
    yield rows.slice(from, to);
    from = to;
  }
}
