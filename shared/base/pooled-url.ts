import { parseUrl } from './parse-url.js';

/** The parameter that marks a URL of PgBouncer. Other programs use the same name. */
const MARK = 'pgbouncer';

/** Marks the URL as one of PgBouncer in transaction mode. Null if it is not a URL of PostgreSQL. */
export function markPooled(connectionString: string): string | null {
  const url = parseUrl(connectionString);
  if (url === null || !/^postgres(ql)?:$/.test(url.protocol)) return null;
  url.searchParams.set(MARK, 'true');
  return url.href;
}

/** Whether sessions of the URL belong to PgBouncer, which gives each transaction a different one. */
export function isPooled(connectionString: string): boolean {
  return new RegExp(`[?&]${MARK}=true(&|$)`).test(connectionString);
}
