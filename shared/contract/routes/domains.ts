import { casePairsSchema } from '../schemas/case-pairs.js';
import {
  domainCreateSchema,
  domainListQuerySchema,
  domainPageSchema,
  domainParamsSchema,
  domainPatchSchema,
  domainSchema,
} from '../schemas/domain.js';
import { domainConnectionSchema } from '../schemas/domain-connection.js';
import type { UntaggedRoute } from './route.js';
import { READ_LINKS, WRITE_LINKS } from './scopes.js';

export const DOMAIN_ROUTES = {
  listDomains: {
    method: 'GET',
    path: '/domains',
    summary: 'List domains',
    scopes: READ_LINKS,
    query: domainListQuerySchema,
    response: { status: 200, description: 'A page of domains, newest first', schema: domainPageSchema },
  },
  createDomain: {
    method: 'POST',
    path: '/domains',
    summary: 'Add a domain',
    description:
      'Set the TXT record that the response names, and point the host to the link hosts of this service. The service looks the record up automatically, at first every minute, for 72 hours. If it is not found by then, the domain is `failed` and `domain.failed` is emitted. IP addresses, local names and hosts of the service are refused. Several environments can add the same host, but only one can verify it. An environment has at most 100 domains. A host that it already has is 409.',
    scopes: WRITE_LINKS,
    body: domainCreateSchema,
    examples: { subdomain: { hostname: 'links.example.com' } },
    response: { status: 201, description: 'The domain, with the DNS record to set', schema: domainSchema, etag: true },
  },
  getDomain: {
    method: 'GET',
    path: '/domains/{domain}',
    summary: 'Read a domain',
    scopes: READ_LINKS,
    params: domainParamsSchema,
    response: { status: 200, description: 'The domain', schema: domainSchema, etag: true },
  },
  updateDomain: {
    method: 'PATCH',
    path: '/domains/{domain}',
    summary: 'Change a domain',
    description:
      'Sets where visitors are sent if their URL leads nowhere, and whether paths are case-sensitive. The host name cannot change. With `case_insensitive`, links such as `/Spring` and `/spring` both keep working: a path is tried in lower case only if it leads nowhere as it is. `GET /domains/{domain}/case-pairs` lists such pairs.',
    scopes: WRITE_LINKS,
    params: domainParamsSchema,
    body: domainPatchSchema,
    examples: {
      own_pages: { redirects: { root: 'https://example.com/', not_found: 'https://example.com/404' } },
      any_case: { case_insensitive: true },
    },
    response: { status: 200, description: 'The domain after the change', schema: domainSchema, etag: true },
    problems: ['url_blocked'],
  },
  deleteDomain: {
    method: 'DELETE',
    path: '/domains/{domain}',
    summary: 'Delete a domain',
    description:
      'The host no longer serves links, and another environment may verify it. Links that were shown on it keep working and are shown on the link host. Their `updated_at` does not change, and no event is emitted for them, although their `url` is another one. The call is refused with 409 in two cases, which you have to change first. Either the `open_host` of the environment is below the domain, and neither below the link host nor below another verified domain. Or the address of a link on the link host would be an alias of another link (`detail` says how many such links there are, and names the first alias).',
    scopes: WRITE_LINKS,
    params: domainParamsSchema,
    response: { status: 204, description: 'Deleted' },
    problems: ['conflict'],
  },
  getDomainConnection: {
    method: 'GET',
    path: '/domains/{domain}/connection',
    summary: 'Check where a domain leads',
    description:
      'Returns the records to set for the host and what the service finds now: the DNS records, the server that responds on the host, and its certificate. Nothing is stored, and the `status` of the domain does not change. The call takes up to 10 seconds if a server does not respond.',
    scopes: READ_LINKS,
    params: domainParamsSchema,
    response: { status: 200, description: 'The records to set, and what was found', schema: domainConnectionSchema },
  },
  getDomainCasePairs: {
    method: 'GET',
    path: '/domains/{domain}/case-pairs',
    summary: 'List addresses that differ in case only',
    description:
      'Pairs such as `/Spring` and `/spring` among the addresses of the host: the paths of the links of the environment, and the aliases on the host. With `case_insensitive` each of them keeps its own visitors, and the one in lower case gets those of every other spelling. Look at this list before you switch it on.',
    scopes: READ_LINKS,
    params: domainParamsSchema,
    response: { status: 200, description: 'The first hundred pairs', schema: casePairsSchema },
  },
  verifyDomain: {
    method: 'POST',
    path: '/domains/{domain}/verify',
    summary: 'Check a domain now',
    description:
      'Looks the TXT record up now. If it is found, the domain is `verified` and `domain.verified` is emitted. If it is not found, a domain that was not verified is `failed` and `domain.failed` is emitted; automatic checks continue until 72 hours after the domain was added. If DNS does not respond, the state stays as it is. A check that you request here always emits the event of the resulting state, unless that is `pending`. Automatic checks emit it only if the state changes. A verified domain is checked every day. If its record is missing for 72 hours, it is `failed`. If the `open_host` of the environment is below that domain, and not below another verified domain too, it is then reset to `open.` followed by the link host. Links of a domain that has become `failed` are shown on the link host. Their `updated_at` does not change, and no event is emitted for them. If the address of a link there is an alias of another link, the link keeps its `url` on the domain, which no longer works, until you remove that alias or set another `domain`.',
    scopes: WRITE_LINKS,
    params: domainParamsSchema,
    response: { status: 200, description: 'The domain after the check', schema: domainSchema, etag: true },
  },
} as const satisfies Record<string, UntaggedRoute>;
