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

export function unchecked(check: string, text: string): Finding {
  return { check, status: 'unchecked', text, repair: null };
}
