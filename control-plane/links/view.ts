import type { LinkUrlForm } from '../../shared/resolve/link-origin.js';
import type { Caller } from '../http/authenticate.js';
import type { LinkView } from './link-row.js';

interface TimedCall {
  readonly caller: Caller;
  readonly nowMs: number;
}

/** How the caller sees links. */
export function viewOf({ caller, nowMs }: TimedCall, form: LinkUrlForm): LinkView {
  const { environment } = caller;
  return { environment: environment.name, linkHost: environment.linkHost, form, nowMs };
}
