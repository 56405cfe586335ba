import type { Finding } from '../../control-plane/cli/finding.js';

export function ok(check: string, text: string): Finding {
  return { check, status: 'ok', text, repair: null };
}

export function warning(check: string, text: string, repair: string): Finding {
  return { check, status: 'warning', text, repair };
}

export function failure(check: string, text: string, repair: string): Finding {
  return { check, status: 'failure', text, repair };
}

/** `command` runs the check, if it is one that has to be requested. */
export function unchecked(check: string, text: string, command: string | null = null): Finding {
  return { check, status: 'unchecked', text, repair: command };
}
