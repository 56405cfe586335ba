import type { FieldError } from '../../shared/contract/schemas/problem-codes.js';
import { asciiHostName, isHostName } from '../../shared/net/host-name.js';
import { judgeHostname, URL_REFUSAL_DETAILS } from '../../shared/net/public-host.js';
import { fieldError } from '../http/problems.js';
import { HOSTNAME_CHARACTERS_MAX } from './domain-row.js';

/** What is wrong with the name of a domain to add. Looks only at text. */
export function hostnameErrors(value: unknown): readonly FieldError[] {
  if (typeof value !== 'string') return [];
  const hostname = asciiHostName(value);
  const refusal = hostname === '' ? null : judgeHostname(hostname);
  if (refusal !== null && refusal !== 'malformed' && refusal !== 'trailing_dot')
    return [fieldError('body', '/hostname', 'host_not_public', URL_REFUSAL_DETAILS[refusal])];
  if (!isHostName(hostname)) return [fieldError('body', '/hostname', 'invalid_format', 'must be a host name without scheme or port')];
  if (hostname.length <= HOSTNAME_CHARACTERS_MAX) return [];
  return [fieldError('body', '/hostname', 'too_long', `must have at most ${HOSTNAME_CHARACTERS_MAX} characters`)];
}
