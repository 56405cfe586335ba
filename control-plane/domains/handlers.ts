import { idAt } from '../../shared/base/ids.js';
import { laterThan } from '../../shared/base/instant.js';
import { DOMAINS_MAX } from '../../shared/base/limits.js';
import { randomBase62 } from '../../shared/base/random-text.js';
import type { Domain } from '../../shared/contract/schemas/domain.js';
import type { FieldError } from '../../shared/contract/schemas/problem-codes.js';
import { asciiHostName } from '../../shared/net/host-name.js';
import { type LinkUrlForm, originOf } from '../../shared/resolve/link-origin.js';
import type { Database, Queryable } from '../db/database.js';
import { lockObjectCounts } from '../environment/lock.js';
import { openHostOfDomain } from '../environment/open-host.js';
import { type Cursors, type PageRequest, pagedList } from '../http/cursor.js';
import type { Call, Effect, Operations } from '../http/operation.js';
import { pathRowReader } from '../http/path-row-reader.js';
import { fieldError, noSuch, refuse, refuseTaken } from '../http/problems.js';
import { lockAllAddresses } from '../links/address-locks.js';
import { type DomainClash, findDomainClash } from '../links/alias-sql.js';
import type { QrThread } from '../qr/qr-thread.js';
import { casePairs } from './case-pairs.js';
import { connectionOf } from './connection.js';
import { type DomainRow, domainOfRow, recordName } from './domain-row.js';
import { findingOf, nextCheck } from './finding.js';
import type { HostLookup } from './host-lookup.js';
import type { HostProbe } from './host-probe.js';
import { hostnameErrors } from './rules.js';
import { patchedDomain, qrStyleErrors, redirectErrors } from './settings.js';
import * as sql from './sql.js';
import { storeFinding } from './store-finding.js';
import type { TxtLookup } from './txt-lookup.js';

export interface DomainDependencies {
  readonly cursors: Cursors;
  readonly lookUpTxt: TxtLookup;
  readonly lookUpHost: HostLookup;
  readonly probeHost: HostProbe;
  readonly form: LinkUrlForm;
  readonly qrImages: Pick<QrThread, 'image'>;
}

type DomainOperations = Pick<
  Operations,
  | 'listDomains'
  | 'createDomain'
  | 'getDomain'
  | 'updateDomain'
  | 'deleteDomain'
  | 'verifyDomain'
  | 'getDomainConnection'
  | 'getDomainCasePairs'
>;

export function domainOperations(dependencies: DomainDependencies): DomainOperations {
  const { cursors } = dependencies;
  const list = pagedList(cursors, 'listDomains', 'domain');
  return {
    listDomains: {
      check: list.errors,
      async handle(call, database) {
        const select = (page: PageRequest) => sql.listDomains(database, call.caller.environment.id, call.query, page);
        return { body: await list.page(call, select, domainOfRow) };
      },
    },
    createDomain: {
      check: ({ body }, database) => newHostnameErrors(body.hostname, database),
      async handle(call, database) {
        const domain = await createDomain(call, database);
        return { ...answerOf(domain), location: `/domains/${domain.id}` };
      },
    },
    getDomain: {
      async handle(call, database) {
        return answerOf(domainOfRow(await requireDomain(call, database)));
      },
    },
    updateDomain: {
      check: async ({ body, caller }, database) => [
        ...(await redirectErrors(body.redirects, database)),
        ...(await qrStyleErrors(body.qr_style, caller.keyId, dependencies.qrImages)),
      ],
      async handle(call, database) {
        const domain = await requireDomain(call, database);
        return { ...answerOf(await updateDomain(call, domain, database)), committed: { feed: 'followed' } };
      },
    },
    deleteDomain: {
      async handle(call, database) {
        await deleteDomain(call, await requireDomain(call, database), database);
        return { body: undefined, committed: { feed: 'followed' } };
      },
    },
    getDomainConnection: {
      async handle(call, database) {
        const { hostname } = await requireDomain(call, database);
        const hosts = { hostname, origin: originOf(dependencies.form, hostname), linkHost: call.caller.environment.linkHost };
        return { body: await connectionOf(hosts, dependencies) };
      },
    },
    getDomainCasePairs: {
      async handle(call, database) {
        const { hostname } = await requireDomain(call, database);
        return { body: await casePairs(database, call.caller.environment.id, hostname) };
      },
    },
    verifyDomain: {
      plan: (call, database) => verifyDomain(call, database, dependencies),
    },
  };
}

/** The domain without the time of the last check and the reason of a failure, which change without anybody changing the domain. */
function domainState({ failure_reason, last_checked_at, ...state }: Domain): object {
  return state;
}

function answerOf(domain: Domain) {
  return { body: domain, state: domainState(domain) };
}

const requireDomain = pathRowReader({ parameter: 'domain', kind: 'domain', noun: 'domain', find: sql.findDomain });

async function newHostnameErrors(value: unknown, database: Queryable): Promise<readonly FieldError[]> {
  const errors = hostnameErrors(value);
  if (errors.length > 0 || typeof value !== 'string') return errors;
  if (!(await sql.isEnvironmentHost(database, asciiHostName(value)))) return [];
  return [fieldError('body', '/hostname', 'reserved', 'is a host of the service itself: use a host name of your own')];
}

/** 190 random bits, so nobody can set the record before the domain was added. */
const TXT_CHARACTERS = 32;

async function createDomain(call: Call<'createDomain'>, database: Database): Promise<Domain> {
  const { body, caller, nowMs } = call;
  const created = new Date(nowMs);
  const added: DomainRow = {
    id: idAt('domain', nowMs),
    hostname: asciiHostName(body.hostname),
    status: 'pending',
    txt_value: `link-verification=${randomBase62(TXT_CHARACTERS)}`,
    failure_reason: null,
    missing_since: null,
    last_checked_at: null,
    next_check_at: null,
    redirects: {},
    case_insensitive: false,
    qr_style: null,
    created_at: created,
    updated_at: created,
  };
  const row: DomainRow = { ...added, next_check_at: nextCheck(added, nowMs) };
  await database.transaction(async (transaction) => {
    await lockObjectCounts(transaction, caller.environment.id);
    if ((await sql.countDomains(transaction, caller.environment.id)) >= DOMAINS_MAX)
      throw refuse('conflict', `An environment has at most ${DOMAINS_MAX} domains: delete one first.`);
    if (!(await sql.insertDomain(transaction, caller.environment.id, row)))
      throw refuseTaken('/hostname', `The environment already has the domain ${row.hostname}.`);
  });
  return domainOfRow(row);
}

async function updateDomain(call: Call<'updateDomain'>, { id, hostname }: DomainRow, database: Database): Promise<Domain> {
  return database.transaction(async (transaction) => {
    const before = await sql.lockDomain(transaction, id, hostname);
    if (before === null) throw noSuch('domain');
    call.requireMatch(domainState(domainOfRow(before)));
    const patched = patchedDomain(before, call.body);
    if (patched === before) return domainOfRow(before);
    const after = { ...patched, updated_at: laterThan(before.updated_at, call.nowMs) };
    await sql.updateDomainSettings(transaction, after);
    return domainOfRow(after);
  });
}

async function deleteDomain(call: Call<'deleteDomain'>, { id, hostname }: DomainRow, database: Database): Promise<void> {
  const { environment } = call.caller;
  await database.transaction(async (transaction) => {
    await lockAllAddresses(transaction, environment.id);
    const domain = await sql.lockDomain(transaction, id, hostname);
    if (domain === null) throw noSuch('domain');
    call.requireMatch(domainState(domainOfRow(domain)));
    const openHost = domain.status === 'verified' ? await openHostOfDomain(transaction, environment.id, hostname) : null;
    if (openHost !== null)
      throw refuse('conflict', `The open host ${openHost} of the environment is below this domain: set another \`open_host\` first.`);
    const clash = await findDomainClash(transaction, environment.id, { from: hostname, to: environment.linkHost });
    if (clash !== null) throw refuse('conflict', clashDetail(clash, environment.linkHost));
    if (!(await sql.deleteDomain(transaction, environment.id, id))) throw noSuch('domain');
  });
}

function clashDetail({ links, path }: DomainClash, linkHost: string): string {
  const [those, them] = links === 1 ? ['1 link', 'the link'] : [`${links} links`, 'the links'];
  return `Without this domain ${those} would have the address of another link's alias, first ${linkHost}/${path}: take such aliases away, or give ${them} another \`domain\` first.`;
}

/** Asks DNS before anything is locked, and writes the result afterwards. */
async function verifyDomain(
  call: Call<'verifyDomain'>,
  database: Queryable,
  { lookUpTxt }: DomainDependencies,
): Promise<Effect<'verifyDomain'>> {
  const domain = await requireDomain(call, database);
  const finding = findingOf(await lookUpTxt(recordName(domain.hostname)), domain.txt_value);
  return async (transaction) => {
    const after = await storeFinding(transaction, domain, finding, { nowMs: call.nowMs, asked: true });
    if (after === null) throw noSuch('domain');
    return { ...answerOf(domainOfRow(after)), committed: { feed: 'followed', deliveries: true } };
  };
}
