import type { LinkUrlForm } from '../../shared/resolve/link-origin.js';
import type { EventOrigin } from '../../shared/webhooks/body.js';
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

/** The environment whose events the call causes, and their time. */
export function originOf({ caller, nowMs }: TimedCall): EventOrigin {
  const { environment } = caller;
  return { environment_id: environment.id, environment: environment.name, at_ms: nowMs };
}
