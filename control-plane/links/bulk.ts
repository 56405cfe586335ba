import { idAt } from '../../shared/base/ids.js';
import { invariant } from '../../shared/base/invariant.js';
import { isObject } from '../../shared/base/issue.js';
import { PASSWORDS_OF_BULK_MAX } from '../../shared/base/limits.js';
import { type Link, type LinkCreate, linkCreateSchema } from '../../shared/contract/schemas/link.js';
import type { BulkResult } from '../../shared/contract/schemas/link-bulk.js';
import { type FieldError, PROBLEMS } from '../../shared/contract/schemas/problem-codes.js';
import { asciiHostName } from '../../shared/net/host-name.js';
import type { LinkUrlForm } from '../../shared/resolve/link-origin.js';
import { rememberedDestinations, type StoreDestination } from '../../shared/resolve/stored-destination.js';
import { type EventOrigin, linkCreatedEvent } from '../../shared/webhooks/body.js';
import type { Database, Queryable } from '../db/database.js';
import type { CallerEnvironment } from '../http/authenticate.js';
import { withoutOversized } from '../http/oversized.js';
import { asRefusal, fieldError, problemBody, type Refusal, refuseFields, refuseTaken } from '../http/problems.js';
import { compileValidator, FIELD_ERRORS_MAX as ITEM_ERRORS_MAX } from '../http/validate.js';
import { numberTags } from '../tags/sql.js';
import { lockAddresses } from './address-locks.js';
import { findOwners } from './alias-sql.js';
import { type AliasAddress, aliasAddresses, storedAliases } from './aliases.js';
import { addressOwners, insertLinks, type NewLink, type WantedPath } from './bulk-sql.js';
import { type LinkBody, linkErrors, unknownDomain } from './checks.js';
import { type CreatedLink, feedOfCreation } from './create-link.js';
import { freshPath, GENERATED_TRIES_MAX, pathsAskedFor } from './generated-path.js';
import { addressTaken, aliasPathsOf, aliasTaken, giveAliases, textOf } from './give-aliases.js';
import { type LinkView, linkOfRow, shownHost } from './link-row.js';
import { releaseAddresses } from './release-addresses.js';
import { createdAtMs, newLinkRow, withHashedPassword } from './rules.js';
import { verifiedDomains } from './sql.js';

/** A link of the call in which no fault has been found so far. */
interface Candidate {
  readonly index: number;
  readonly body: LinkCreate;
  readonly id: string;
  readonly path: string;
  /** The host that it is to be shown on. */
  readonly host: string;
}

type Result = BulkResult['results'][number];

/** What links are made of, and for whom. */
export interface NewLinks {
  readonly items: readonly unknown[];
  readonly environment: Pick<CallerEnvironment, 'id' | 'name' | 'linkHost'>;
  readonly createdBy: string;
  /** It is in what says why a link was refused. */
  readonly requestId: string;
  readonly nowMs: number;
  readonly dryRun: boolean;
  readonly form: LinkUrlForm;
  /** Indexes of the links that an import creates disabled. */
  readonly disabled?: ReadonlySet<number>;
}

/** What became of the links, and the feed rows of those that were created, as `Committed` describes them. */
export interface CreatedLinks {
  readonly result: BulkResult;
  readonly feed: CreatedLink['feed'];
}

/**
 * Creates all valid links in one transaction with a few statements: look-ups of the objects that the links name, of taken paths and of
 * tags, and one statement that inserts all links with their feed rows and events. If a generated path is taken, that statement is repeated
 * for those links.
 */
export function createLinks(given: NewLinks, database: Database): Promise<CreatedLinks> {
  return new Creation(given).run(database);
}

function takenPath({ index, path, host }: Candidate, owner: 'path' | 'alias'): Refusal {
  const pointer = `/links/${index}/path`;
  return owner === 'alias' ? addressTaken({ host, normal_path: path }, pointer) : refuseTaken(pointer, `The path "${path}" is taken.`);
}

const validateItem = compileValidator(linkCreateSchema, 'body');

/**
 * The largest number of field errors in a response; 8 MiB can hold a million wrong fields. The first error of each link is always included.
 */
const FIELD_ERRORS_MAX = 10_000;

/** What is wrong with each item, with pointers into the whole body. */
export async function itemErrors(
  items: readonly unknown[],
  { environmentId, nowMs }: { readonly environmentId: string; readonly nowMs: number },
  database: Queryable,
  store: StoreDestination = rememberedDestinations(),
): Promise<readonly FieldError[][]> {
  const refused = items.map((item) => validateItem(item));
  const bodies = items.map((item, index): LinkBody => {
    const errors = refused[index] ?? [];
    return isObject(item) && errors.length < ITEM_ERRORS_MAX ? withoutOversized(item, errors) : {};
  });
  const found = await linkErrors(database, environmentId, bodies, nowMs, store);
  let left = FIELD_ERRORS_MAX;
  let passwords = 0;
  return items.map((item, index) => {
    const errors = [...(refused[index] ?? [])];
    const judged = found[index] ?? [];
    if (isObject(item) && typeof item.password === 'string' && ++passwords > PASSWORDS_OF_BULK_MAX)
      errors.push(fieldError('body', '/password', 'too_many', `At most ${PASSWORDS_OF_BULK_MAX} links of a call may have a password.`));
    if (errors.length + judged.length === 0) return errors;
    const known = new Set(errors.map((error) => error.pointer));
    errors.push(...judged.filter((error) => !known.has(error.pointer)));
    const named = errors.slice(0, Math.max(1, left));
    left -= named.length;
    return named.map((error) => ({ ...error, pointer: `/links/${index}${error.pointer}` }));
  });
}

function wantedPaths(candidates: readonly Candidate[]): readonly WantedPath[] {
  return candidates.filter(({ path }) => path !== '');
}

/** A link to create, and what the API and its event show of it. */
interface ShownLink extends NewLink {
  readonly link: Link;
}

/** How often the insertion is tried. Another call may take an alias between the check and the insertion, a different one each time. */
const ALIAS_TRIES_MAX = 5;

/** Links that are being created. It collects the result of each. */
class Creation {
  readonly #given: NewLinks;
  readonly #view: LinkView;
  readonly #origin: EventOrigin;
  readonly #store = rememberedDestinations();
  readonly #results: Result[];
  /** Whether links that no longer keep their addresses are in the way of others. */
  #hasReleasable = false;

  constructor(given: NewLinks) {
    const { items, environment, form, nowMs } = given;
    this.#given = given;
    this.#view = { environment: environment.name, linkHost: environment.linkHost, form, nowMs };
    this.#origin = { environment_id: environment.id, environment: environment.name, at_ms: nowMs };
    this.#results = new Array(items.length);
  }

  async run(database: Database): Promise<CreatedLinks> {
    const { items, environment, nowMs, dryRun } = this.#given;
    const errors = await itemErrors(items, { environmentId: environment.id, nowMs }, database, this.#store);
    const free = await this.#withFreeAddresses(this.#wellFormed(errors), database);
    // A row of a trial is rolled back, and so needs no hash, which takes some tens of milliseconds.
    const hashed = (body: LinkCreate) => (dryRun ? { ...body, password: 'none' } : withHashedPassword(body));
    const candidates = await Promise.all(
      free.map(async (one) => (typeof one.body.password === 'string' ? { ...one, body: await hashed(one.body) } : one)),
    );
    const made = await database.transaction((transaction) => this.#insertOrTakeBack(candidates, transaction));
    for (const candidate of made.candidates) {
      const { index, id } = candidate;
      const link = made.links.get(id);
      if (link !== undefined) this.#results[index] = { index, status: 201, link };
      // Another call has taken its path since this call looked for it.
      else if (this.#results[index] === undefined) this.#fail(index, takenPath(candidate, 'path'));
    }
    const created = made.links.size;
    const result = { results: this.#results, created, failed: items.length - created };
    return { result, feed: feedOfCreation([...made.links.values()], this.#hasReleasable) };
  }

  #fail(index: number, refusal: Refusal): void {
    this.#results[index] = { index, status: PROBLEMS[refusal.code].status, error: problemBody(refusal, this.#given.requestId) };
  }

  /** Refuses the items that are wrong. Returns the others, with ids in the order of the items. */
  #wellFormed(errors: readonly FieldError[][]): readonly Candidate[] {
    const { items, environment, nowMs } = this.#given;
    const ids = items.map(() => idAt('link', nowMs)).sort();
    const candidates: Candidate[] = [];
    for (const [index, item] of items.entries()) {
      const wrong = errors[index] as FieldError[];
      if (wrong.length > 0) {
        this.#fail(index, refuseFields(wrong));
        continue;
      }
      // The schema has passed, and `LinkCreate` is the static type of that same schema.
      const body = item as LinkCreate;
      const id = body.created_at === undefined ? (ids[index] as string) : idAt('link', createdAtMs(body, nowMs));
      // `linkErrors` has checked that a domain in the body is verified.
      const domain = typeof body.domain === 'string' ? asciiHostName(body.domain) : null;
      const host = shownHost({ domain, shown_on_domain: true }, environment.linkHost);
      candidates.push({ index, body, id, path: body.path ?? '', host });
    }
    return candidates;
  }

  /**
   * Refuses the candidates whose path or aliases another link, or an earlier one of the call, has taken. An alias is also taken if such a
   * link is shown with it. A refused candidate leaves its path and its aliases to those that come after it.
   */
  async #withFreeAddresses(candidates: readonly Candidate[], database: Queryable): Promise<readonly Candidate[]> {
    const environmentId = this.#given.environment.id;
    const owners = await addressOwners(database, environmentId, wantedPaths(candidates));
    this.#hasReleasable ||= [...owners.values()].includes('releasable');
    const hasAliases = candidates.some(({ body }) => (body.aliases ?? []).length > 0);
    const addressesOf = ({ body }: Candidate) => (hasAliases ? aliasAddresses(storedAliases(body.aliases ?? [])) : []);
    const taken = new Set((await findOwners(database, environmentId, candidates.flatMap(addressesOf))).map(textOf));
    const paths = new Set<string>();
    const refusalOf = (candidate: Candidate, addresses: readonly AliasAddress[]): Refusal | null => {
      const { index, path, host } = candidate;
      const owner = owners.get(`${host}/${path}`) ?? 'releasable';
      if (owner !== 'releasable') return takenPath(candidate, owner);
      if (paths.has(path)) return refuseTaken(`/links/${index}/path`, `The path "${path}" is taken by an earlier link of this call.`);
      if (hasAliases && path !== '' && taken.has(textOf({ host, normal_path: path }))) return takenPath(candidate, 'alias');
      const clash = addresses.findIndex((address) => taken.has(textOf(address)));
      return clash === -1 ? null : aliasTaken(addresses[clash] as AliasAddress, `/links/${index}/aliases/${clash}`);
    };
    return candidates.filter((candidate) => {
      const addresses = addressesOf(candidate);
      const refusal = refusalOf(candidate, addresses);
      if (refusal !== null) this.#fail(candidate.index, refusal);
      else {
        const { path, host } = candidate;
        if (path !== '') paths.add(path);
        if (hasAliases) for (const address of [{ host, normal_path: path }, ...addresses]) taken.add(textOf(address));
      }
      return refusal === null;
    });
  }

  /** Inserts the links, in the transaction. A dry run rolls them back, so that whatever would refuse a link also refuses it there. */
  async #insertOrTakeBack(
    free: readonly Candidate[],
    transaction: Queryable,
  ): Promise<{ readonly links: ReadonlyMap<string, Link>; readonly candidates: readonly Candidate[] }> {
    const isTrial = this.#given.dryRun;
    const hasAliases = free.some(({ body }) => (body.aliases ?? []).length > 0);
    if (!isTrial && !hasAliases) return { links: await this.#insert(free, transaction), candidates: free };
    const run = (text: string) => transaction.query({ text, values: [] });
    await run('SAVEPOINT links');
    let candidates = free;
    for (let attempt = 1; ; attempt++)
      try {
        const links = await this.#insert(candidates, transaction);
        if (isTrial) await run('ROLLBACK TO SAVEPOINT links');
        return { links, candidates };
      } catch (error) {
        if (asRefusal(error)?.code !== 'conflict' || attempt === ALIAS_TRIES_MAX) throw error;
        await run('ROLLBACK TO SAVEPOINT links');
        candidates = await this.#withFreeAddresses(candidates, transaction);
      }
  }

  /** Returns the links that were created, by id, without those whose path or domain another call has taken away in the meantime. */
  async #insert(candidates: readonly Candidate[], transaction: Queryable): Promise<ReadonlyMap<string, Link>> {
    const environmentId = this.#given.environment.id;
    const avoid = pathsAskedFor(this.#given.items);
    const aliasPaths = candidates.flatMap(({ body }) => aliasPathsOf(storedAliases(body.aliases ?? [])));
    let tagNumbers: ReadonlyMap<string, number> | null = null;
    let left = candidates;
    const made: ShownLink[] = [];
    for (let attempt = 0; left.length > 0; attempt++) {
      invariant(attempt < GENERATED_TRIES_MAX, `no free path in ${GENERATED_TRIES_MAX} tries`);
      const placed = left.map((candidate) => ({ ...candidate, path: candidate.body.path ?? freshPath(avoid) }));
      const wanted = { paths: placed.map(({ path }) => path), aliasPaths: attempt === 0 ? aliasPaths : [] };
      await lockAddresses(transaction, environmentId, wanted);
      if (attempt === 0) await this.#release(candidates, transaction);
      const shown = await this.#onVerifiedDomains(placed, transaction);
      tagNumbers ??= await numberTags(transaction, environmentId, [...new Set(candidates.flatMap(({ body }) => body.tags ?? []))]);
      const links = shown.map((candidate) => this.#shown(candidate));
      const inserted = await insertLinks(transaction, environmentId, links, tagNumbers);
      made.push(...links.filter(({ row }) => inserted.has(row.id)));
      left = shown.filter(({ id, body }) => body.path === undefined && !inserted.has(id));
    }
    const rows = made.map(({ row }) => row);
    await giveAliases(transaction, environmentId, rows);
    return new Map(made.map(({ link }) => [link.id, link]));
  }

  /** Refuses the candidates whose domain was lost before the addresses were locked. */
  async #onVerifiedDomains(candidates: readonly Candidate[], transaction: Queryable): Promise<readonly Candidate[]> {
    const { id, linkHost } = this.#given.environment;
    const domains = new Set(candidates.map(({ host }) => host).filter((host) => host !== linkHost));
    const verified = domains.size === 0 ? [] : await verifiedDomains(transaction, id, [...domains]);
    return candidates.filter(({ index, host }) => {
      const isShown = host === linkHost || verified.includes(host);
      if (!isShown) this.#fail(index, refuseFields([unknownDomain(`/links/${index}/domain`)]));
      return isShown;
    });
  }

  /** Links with one of these aliases are released without being looked for before, because such a call looks at its aliases anyway. */
  async #release(candidates: readonly Candidate[], transaction: Queryable): Promise<void> {
    const aliases = candidates.flatMap(({ body }) => aliasAddresses(storedAliases(body.aliases ?? [])));
    const paths = this.#hasReleasable ? wantedPaths(candidates).map(({ host, path }) => ({ host, normal_path: path })) : [];
    await releaseAddresses(transaction, this.#given.environment.id, [...paths, ...aliases]);
  }

  #shown({ index, body, id, path, host }: Candidate): ShownLink {
    const { nowMs, createdBy, disabled } = this.#given;
    const state = disabled?.has(index) ? 'disabled' : 'active';
    const row = newLinkRow(body, { id, path, nowMs, state, createdBy }, this.#store);
    const link = linkOfRow(row, this.#view);
    return { row, host, link, event: linkCreatedEvent(this.#origin, link) };
  }
}
