import t from 'tap';
import ts from 'typescript';
import { ANALYTICS } from '../../control-plane/dashboard/language/german/analytics.js';
import { CODES } from '../../control-plane/dashboard/language/german/codes.js';
import { ENVIRONMENT } from '../../control-plane/dashboard/language/german/environment.js';
import { LINKS } from '../../control-plane/dashboard/language/german/links.js';
import { MOVING_IN } from '../../control-plane/dashboard/language/german/moving-in.js';
import { PAGE } from '../../control-plane/dashboard/language/german/page.js';
import { RESOURCES } from '../../control-plane/dashboard/language/german/resources.js';
import { GERMAN } from '../../control-plane/dashboard/language/german.js';
import { FIELD_CODE_NAMES, type FieldCode, PROBLEM_CODES, type ProblemCode } from '../../shared/contract/schemas/problem-codes.js';
import { URL_TEST_RESULTS } from '../../shared/contract/schemas/url-template.js';
import { DELIVERY_STATUSES } from '../../shared/contract/schemas/webhook.js';
import { dashboardSources, eachNode, placeOf, placesOf, type SourceText, sourceTexts, textCall } from '../support/dashboard-texts.js';
import { readTreeFile } from '../support/source-tree.js';

/** Attributes whose values are always shown or spoken. */
const SPOKEN = new Set(
  'aria-label title placeholder label alt help lead submit confirm empty legend warning hint description caption summary measure'.split(
    ' ',
  ),
);

/** Attributes whose values are never shown or spoken. */
const SILENT =
  /^(className|key|id|type|role|href|to|path|d|viewBox|rel|target|tone|variant|icon|field|name|value|list|style|lang|aria-(?!label$).*|data-.*|on[A-Z].*)$/;

/** Words that are the same in every language: formats, units, names. */
const NAMES = /^(HTTP|ms|CSV|PNG|UTM|English|Deutsch|⌘K?)$/;

/** Files with literals that look like words but are not shown, or are shown as they are. */
const NOT_TRANSLATED: Readonly<Record<string, string>> = {
  'control-plane/dashboard/parts/keep-focus.ts': 'selectors, and no texts',
  'control-plane/dashboard/screens/settings/phone-preview.tsx': 'the pages of the link hosts, which are in English, and marked as that',
};

/** Such literals by themselves. */
const NOT_WORDS: Readonly<Record<string, string>> = {
  Slack: 'a name',
  Facebook: 'a name',
  Bitly: 'a name',
  Rebrandly: 'a name',
  Dub: 'a name',
  Shlink: 'a name',
  Kutt: 'a name',
  Esc: 'what stands on the key',
  '{} · Link service': 'a name',
  'HTTP {}': 'the name of the protocol, and a number',
  '< 100 ms': 'a number and its unit',
  '< 300 ms': 'a number and its unit',
  'not granted': 'a state, which its badge translates',
  'disabled over the API': 'what the service writes down itself, and the page does not show',
  'no successful delivery for 3 days': 'what the service writes down itself, and the page does not show',
  'is not JSON: {}': 'the English one of two',
  '{}-help {}-error': 'ids',
  '{}-warning {}-help {}-error': 'ids',
  '(prefers-color-scheme: dark)': 'a condition of style sheets',
  '(max-width: {})': 'a condition of style sheets',
  'textarea, select, input:not([type="checkbox"], [type="radio"], [type="file"])': 'a selector',
};

/** Whether no reader would take the text for a word: addresses, code, commands, names of files and members. */
function isTechnical(text: string): boolean {
  return (
    NAMES.test(text.trim()) ||
    /^[\W\d_]*$/.test(text.replaceAll('{}', '')) ||
    /:\/\/|^(GET|POST|PUT|PATCH|DELETE) \/|^linkd |^npx linkd |^--| --|^Bearer |^\{ "|^X-|px\b|^[MC]?[a-z]+\([^)]*\)|color-mix|^#/.test(
      text,
    ) ||
    (!/\s/.test(text.trim()) && (/[._/:{}=<>#+*[\]()-]/.test(text.trim()) || !/^[A-Z][a-z]+$/.test(text.trim())))
  );
}

/** The attribute whose value the expression is; null if there is none. */
function attributeOf(node: ts.Node): string | null {
  for (let at = node; at.parent !== undefined; at = at.parent) {
    const { parent } = at;
    if (ts.isJsxAttribute(parent)) return parent.name.getText();
    const passesOn =
      ts.isJsxExpression(parent) ||
      ts.isParenthesizedExpression(parent) ||
      ts.isTemplateExpression(parent) ||
      ts.isTemplateSpan(parent) ||
      ts.isBinaryExpression(parent) ||
      (ts.isConditionalExpression(parent) && parent.condition !== at);
    if (!passesOn) return null;
  }
  return null;
}

const CALLS_WITHOUT_WORDS =
  /^(useRead|useWrite|useRows|useAllRows|useStickyState|late|call|callForFile|callForStream|askEarly|import)$|querySelector|\.(matches|closest|includes|startsWith|endsWith|getItem|setItem|removeItem|getPropertyValue|append|createElement|split|join|replace|replaceAll|test|addEventListener|removeEventListener|getContext|set|get|has|execCommand)$/;

/**
 * Whether a literal is not a value that could be shown: a name, a type, an operand of a comparison, or an argument of a call that
 * shows nothing.
 */
function isName(node: ts.Node): boolean {
  const { parent } = node;
  if (ts.isImportDeclaration(parent) || ts.isCaseClause(parent) || ts.isElementAccessExpression(parent)) return true;
  if (ts.isPropertyAssignment(parent) && parent.name === node) return true;
  if (ts.isBinaryExpression(parent) && /^[!=]==?$/.test(parent.operatorToken.getText())) return true;
  for (let at: ts.Node | undefined = node; at !== undefined; at = at.parent) {
    if (ts.isTypeNode(at)) return true;
    if (ts.isNewExpression(at) && /Error$/.test(at.expression.getText()) && at.expression.getText() !== 'ApiError') return true;
    if (at.parent !== undefined && ts.isCallExpression(at.parent) && at !== at.parent.expression)
      if (textCall(at.parent) !== null || CALLS_WITHOUT_WORDS.test(at.parent.expression.getText())) return true;
    if (ts.isFunctionLike(at)) return false;
  }
  return false;
}

function literalOf(node: ts.Node): string | null {
  if (ts.isStringLiteralLike(node)) return node.text;
  if (ts.isTemplateExpression(node)) return node.head.text + node.templateSpans.map(({ literal }) => `{}${literal.text}`).join('');
  return null;
}

/** A literal that readers see in English whatever their language is; null if the node is not one. */
function untranslated(node: ts.Node): string | null {
  if (ts.isJsxText(node)) {
    const code = ts.isJsxElement(node.parent) && /^(code|kbd)$/.test(node.parent.openingElement.tagName.getText());
    return code || !/[A-Za-z]{2}/.test(node.text) || NAMES.test(node.text.trim()) ? null : node.text.trim();
  }
  const literal = literalOf(node);
  if (literal === null || !/[A-Za-z]{2}/.test(literal.replaceAll('{}', '')) || isName(node)) return null;
  const attribute = attributeOf(node);
  if (attribute !== null && !SPOKEN.has(attribute) && SILENT.test(attribute)) return null;
  if (attribute !== null && SPOKEN.has(attribute) && /^[a-z]+ [a-z]/.test(literal)) return literal;
  const looksLikeWords = /^[A-Z][a-z]+$/.test(literal) || /[A-Za-z]{2,}[.,;:!?]? [A-Za-z{]|[a-z]{2,}[.!?]$| [a-z]{2,}/.test(literal);
  return looksLikeWords && !isTechnical(literal) ? literal : null;
}

/** Codes without German, each with what the API's own English text says and the code alone does not. */
const IN_ENGLISH: Readonly<Record<string, string>> = {
  'problem.bad_request': 'what is malformed',
  'problem.method_not_allowed': 'which methods the path supports',
  'problem.conflict': 'what is taken, full or archived',
  'problem.unsupported_media_type': 'which type the body must have',
  'problem.validation_failed': 'which fields are invalid',
  'problem.idempotency_key_reused': 'which request the key belongs to',
  'field.unknown_field': 'which field there is not',
  'field.invalid_value': 'which values are allowed',
  'field.invalid_format': 'which form is required',
  'field.number_not_exact': 'how to send the number',
  'field.key_too_long': 'which key is too long',
  'field.reserved': 'who sets the value',
  'field.dot_segment': 'which segment it is',
  'field.invalid_character': 'which characters are allowed',
  'field.invalid_cursor': 'what to do instead',
  'field.invalid_range': 'which range is allowed',
};

/** The answers of the link test that are not a status of HTTP. */
const LINK_TEST_WORDS = ['link', 'no_link', 'reserved', 'unknown_host'];

const SOURCES = dashboardSources();
const TEXTS = sourceTexts(SOURCES);

t.test('the search finds literals that readers would see, and ignores names', async (t) => {
  const found = (code: string) => {
    const source = ts.createSourceFile('a.tsx', code, ts.ScriptTarget.ESNext, true, ts.ScriptKind.TSX);
    const literals: string[] = [];
    eachNode(source, (node) => {
      const literal = untranslated(node);
      if (literal !== null) literals.push(literal);
    });
    return literals;
  };
  t.same(found('<p>Some words</p>'), ['Some words']);
  t.same(found('<p title="A title" className="some class">{x ? "One link" : "Many links"}</p>'), ['A title', 'One link', 'Many links']);
  t.same(found(`toast(\`The link \${name} is deleted.\`); const A = { label: "Clicks" }; f(x ?? "No answer")`), [
    'The link {} is deleted.',
    'Clicks',
    'No answer',
  ]);
  t.same(found('<p title={text("A title")}>{text("Some words", { name })} <code>linkd keys</code></p>'), []);
  t.same(
    found('import a from "some file"; if (a === "Two words") call(c, "GET /links", {}); type A = "Some type"; <i className="a b" />'),
    [],
  );
});

t.test('every text of the dashboard goes through a translating function', async (t) => {
  t.ok(SOURCES.length > 150);
  const found: string[] = [];
  const excepted = new Set<string>();
  for (const source of SOURCES)
    eachNode(source, (node) => {
      const literal = untranslated(node);
      if (literal === null) return;
      const exception = NOT_TRANSLATED[source.fileName] === undefined ? literal : source.fileName;
      if (NOT_TRANSLATED[exception] === undefined && NOT_WORDS[exception] === undefined) found.push(`${placeOf(node)}: ${literal}`);
      else excepted.add(exception);
    });
  t.same(found, [], 'write text(…), counted(…), rich(…), or message(…) in a table');
  const exceptions = Object.keys({ ...NOT_TRANSLATED, ...NOT_WORDS });
  t.same([...excepted].sort(), exceptions.sort(), 'every exception is still needed');
});

t.test('a translated text is a literal, and outside of functions a message', async (t) => {
  const found: string[] = [];
  for (const source of SOURCES)
    eachNode(source, (node) => {
      const forms = textCall(node);
      if (forms === null) return;
      if (forms.includes(null)) found.push(`${placeOf(node)} is no literal: pass a Message to textOf(…)`);
      const isMessage = ts.isCallExpression(node) && node.expression.getText() === 'message';
      if (!isMessage && ts.findAncestor(node, ts.isFunctionLike) === undefined)
        found.push(`${placeOf(node)} keeps the language that the file was loaded in: use message(…) and textOf(…)`);
    });
  t.same(found, []);
});

/** The faults of the German version of a text. */
function faultsOf({ english, one, place }: SourceText): readonly string[] {
  const german = GERMAN[english];
  const differs = (from: string, to: string) => placesOf(from).join() !== placesOf(to).join();
  if (german === undefined) return [`${place}: no German for ${JSON.stringify(english)}`];
  if (one === null)
    return typeof german !== 'string'
      ? [`${place}: German has forms of number for a text without any: ${english}`]
      : differs(english, german)
        ? [`${place}: other places in German: ${german}`]
        : [];
  if (typeof german === 'string') return [`${place}: German needs a form for one and one for other numbers: ${english}`];
  // The form for one thing may lack the number: "A field is wrong".
  const withCount = (form: string) => (form.includes('{count}') || !english.includes('{count}') ? form : `${form}{count}`);
  return [
    ...(german.length === new Intl.PluralRules('de').resolvedOptions().pluralCategories.length
      ? []
      : [`${place}: wrong forms: ${english}`]),
    ...(differs(withCount(one), withCount(german[0])) ? [`${place}: other places in German: ${german[0]}`] : []),
    ...(differs(english, german[1]) ? [`${place}: other places in German: ${german[1]}`] : []),
  ];
}

t.test('the search finds faults of a catalogue', async (t) => {
  const place = 'a.tsx:1';
  t.match(faultsOf({ english: 'Nobody wrote this', one: null, place }), [/no German/]);
  t.match(faultsOf({ english: '{count} links', one: null, place }), [/forms of number/]);
  t.match(faultsOf({ english: 'Delete', one: '{count} deletion', place }), [/needs a form for one/]);
  t.same(faultsOf({ english: '{count} links', one: '{count} link', place }), []);
  t.match(faultsOf({ english: '{count} links', one: '{count} link of {name}', place }), [/other places/]);
});

t.test('every text has a German version with the same placeholders and the plural forms of German', async (t) => {
  t.ok(TEXTS.length > 1000);
  t.same(TEXTS.flatMap(faultsOf), []);
});

t.test('every German text belongs to a text of the source, and none is given twice', async (t) => {
  const known = new Set(TEXTS.map(({ english }) => english));
  t.same(
    Object.keys(GERMAN).filter((english) => !known.has(english) && CODES[english] === undefined),
    [],
    'remove it from control-plane/dashboard/language/german/',
  );
  const parts = [ANALYTICS, CODES, ENVIRONMENT, LINKS, MOVING_IN, PAGE, RESOURCES];
  t.equal(parts.flatMap(Object.keys).length, Object.keys(GERMAN).length);
});

t.test('German texts of codes belong to codes of the contract, and every state with a badge colour has one', async (t) => {
  const codes = (kind: string) => Object.keys(CODES).flatMap((key) => (key.startsWith(`${kind}.`) ? [key.slice(kind.length + 1)] : []));
  t.same(
    codes('problem').filter((code) => !PROBLEM_CODES.includes(code as ProblemCode)),
    [],
  );
  t.same(
    codes('field').filter((code) => !FIELD_CODE_NAMES.includes(code as FieldCode)),
    [],
  );
  const [, tones = ''] = /const TONES[^{]*\{([^}]*)\}/.exec(readTreeFile('control-plane/dashboard/parts/badge.tsx')) ?? [];
  const states = [...tones.matchAll(/^ {2}'?([\w ]+)'?:/gm)].map(([, state]) => state as string);
  t.ok(states.length > 20);
  t.same(
    states.filter((state) => CODES[`status.${state}`] === undefined),
    [],
  );
  const others = [...LINK_TEST_WORDS, ...URL_TEST_RESULTS, ...DELIVERY_STATUSES];
  t.same(
    others.filter((state) => CODES[`status.${state}`] === undefined),
    [],
  );
});

t.test('every code of a problem or a field has a German text, or a reason for the text of the API', async (t) => {
  const codes = [...PROBLEM_CODES.map((code) => `problem.${code}`), ...FIELD_CODE_NAMES.map((code) => `field.${code}`)];
  const missing = codes.filter((code) => CODES[code] === undefined);
  t.same(missing.sort(), Object.keys(IN_ENGLISH).sort(), 'add it to control-plane/dashboard/language/german/codes.ts');
});

t.test('German texts follow the style of the dashboard', async (t) => {
  const wrong = Object.values(GERMAN)
    .flat()
    .filter(
      (german) =>
        /\b(du|dich|dein\w*|Kunde klicken|Tag [a-z]+ werden)\b|"|'|\.\.\.| {2}|^ | $/.test(german) ||
        /\bTags?\b(?= (des|der) Link)/.test(german),
    );
  t.same(wrong, [], 'address with Sie, use German quotation marks and an ellipsis, and no extra space');
});
