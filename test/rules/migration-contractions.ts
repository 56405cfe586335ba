/**
 * Finds the statements of a migration that take something away which an earlier release may still use. Releases share a schema
 * while one replaces the other: the schema is expanded before the release that needs the change, and contracted one release after
 * the last one that used what is removed. Such a step is marked by a comment right before its statement:
 *
 *     -- contract: last used by release 1.4.0
 */
const CONTRACT = /^\s*--\s*contract:.*\blast used by release (\d+)\.(\d+)\.(\d+)\s*$/m;

const TABLE = String.raw`(?:if\s+(?:not\s+)?exists\s+)?(?:only\s+)?([\w."]+)`;
const CREATE_TABLE = new RegExp(String.raw`^create\s+(?:unlogged\s+)?table\s+${TABLE}`, 'i');
const ALTER_TABLE = new RegExp(String.raw`^alter\s+table\s+${TABLE}\s+(.*)$`, 'is');
const UNIQUE_INDEX = new RegExp(String.raw`^create\s+unique\s+index\s+.*?\bon\s+${TABLE}`, 'is');

/** Statements other than ALTER TABLE that take something away. A DO block counts as one, because its body is not read. */
const TAKES_AWAY = /^(?:do\b|drop|truncate|revoke|alter\s+(?:type|sequence|function|index|view|domain)\s.*\b(?:rename|drop|owner)\b)/is;

/** Clauses of ALTER TABLE that break a release which does not know of the change. */
const REFUSED_CLAUSES: readonly RegExp[] = [
  /^rename\b/i,
  // Without its constraint, an ON CONFLICT that names the columns fails.
  /^drop\b/i,
  /^alter\s+(?:column\s+)?\S+\s+(?:set\s+data\s+)?type\b/i,
  /^alter\s+(?:column\s+)?\S+\s+set\s+not\s+null\b/i,
  /^alter\s+(?:column\s+)?\S+\s+drop\s+(?:default|identity|expression)\b/i,
  /^validate\s+constraint\b/i,
  /^set\s+schema\b/i,
];
/** Even a constraint that is NOT VALID is checked for each row that is written. */
const ADDS_CONSTRAINT = /^add\s+(?:constraint\b|check\b|unique\b|primary\s+key\b|foreign\s+key\b|exclude\b)/i;
const ADDS_COLUMN = /^add\s+/i;
/** Constraints of a new column. Rows of an older release, which does not name the column, would be refused. */
const BINDS_COLUMN = /\b(?:check|unique|primary\s+key|references)\b/i;

/** The refused statements, each on one line. `version` is the release that brings the migration. */
export function contractions(migration: string, version: string): readonly string[] {
  const own = new Set<string>();
  return statementsOf(migration).flatMap(({ comments, sql }) => {
    const created = CREATE_TABLE.exec(sql)?.[1];
    if (created !== undefined) own.add(created.toLowerCase());
    return takesAway(sql, own) && !isLaterRelease(comments, version) ? [sql.replaceAll(/\s+/g, ' ').slice(0, 100)] : [];
  });
}

function takesAway(sql: string, own: ReadonlySet<string>): boolean {
  if (TAKES_AWAY.test(sql)) return true;
  const indexed = UNIQUE_INDEX.exec(sql)?.[1];
  if (indexed !== undefined) return !own.has(indexed.toLowerCase());
  const [, table, clauses] = ALTER_TABLE.exec(sql) ?? [];
  if (table === undefined || clauses === undefined || own.has(table.toLowerCase())) return false;
  return clausesOf(clauses).some(isRefused);
}

function isRefused(clause: string): boolean {
  if (REFUSED_CLAUSES.some((refused) => refused.test(clause))) return true;
  if (ADDS_CONSTRAINT.test(clause)) return true;
  if (!ADDS_COLUMN.test(clause)) return false;
  const isFilled = /\b(?:default|generated)\b/i.test(clause);
  return BINDS_COLUMN.test(clause) || (/\bnot\s+null\b/i.test(clause) && !isFilled);
}

/** Whether the statement is marked as a step after the last release that used what it removes. */
function isLaterRelease(comments: string, version: string): boolean {
  const last = CONTRACT.exec(comments)?.slice(1).map(Number);
  if (last === undefined) return false;
  const current = version.split('.').map(Number);
  const differing = current.findIndex((part, at) => part !== last[at]);
  return differing !== -1 && (current[differing] as number) > (last[differing] as number);
}

interface Statement {
  /** The comments before the statement and in it. */
  readonly comments: string;
  readonly sql: string;
}

/** Splits a migration into statements. Strings, quoted bodies and comments hold none: a string becomes '', a body $$. */
function statementsOf(migration: string): readonly Statement[] {
  const statements: Statement[] = [];
  let comments = '';
  let sql = '';
  for (const [token] of migration.matchAll(/--[^\n]*|\/\*[\s\S]*?\*\/|'(?:[^']|'')*'|(\$\w*\$)[\s\S]*?\1|;|[^-/'$;]+|[\s\S]/g)) {
    if (token === ';') {
      statements.push({ comments, sql: sql.trim() });
      comments = '';
      sql = '';
    } else if (token.startsWith('--') || token.startsWith('/*')) comments += `${token}\n`;
    else if (token.length > 1 && token.startsWith("'")) sql += "''";
    else if (token.length > 1 && token.startsWith('$')) sql += '$$';
    else sql += token;
  }
  return [...statements, { comments, sql: sql.trim() }].filter((statement) => statement.sql !== '');
}

/** The parts of the text between commas outside parentheses. */
function clausesOf(text: string): readonly string[] {
  const clauses = [''];
  let depth = 0;
  for (const character of text) {
    if (character === '(') depth++;
    else if (character === ')') depth--;
    if (character === ',' && depth === 0) clauses.push('');
    else clauses[clauses.length - 1] += character;
  }
  return clauses.map((clause) => clause.trim());
}
