import { createHash } from 'node:crypto';
import { escapeHtml } from '../../shared/base/escape-html.js';
import type { ApiContent, ApiDocument, ApiOperation, ApiResponse } from './document.js';
import { fieldsOf, typeOf } from './schema-fields.js';
import { STYLE } from './style.js';

/**
 * The API reference as one page without scripts, rendered from the document once at the start: it shows what the server
 * does, offline, under a policy that lets nothing be loaded and nothing run. (The standalone page of Scalar was looked at:
 * 3.3 MB of script that needs inline styles and, by default, fonts and a proxy of its maker.)
 */
export interface DocsPage {
  readonly html: string;
  /** Value of Content-Security-Policy. */
  readonly policy: string;
}

export function docsPage(document: ApiDocument): DocsPage {
  const styleHash = createHash('sha256').update(STYLE).digest('base64');
  return {
    html: `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(document.info.title)}</title>
<style>${STYLE}</style>
</head>
<body>
<nav aria-label="Contents">${contents(document)}</nav>
<main>${introduction(document)}${document.tags.map((tag) => tagSection(document, tag)).join('')}${webhookSection(document)}${errorSection(document)}</main>
</body>
</html>
`,
    policy: `default-src 'none'; style-src 'sha256-${styleHash}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
  };
}

interface PlacedOperation {
  readonly method: string;
  readonly path: string;
  readonly operation: ApiOperation;
}

function operationsOf(document: ApiDocument, tag: string): readonly PlacedOperation[] {
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([, operation]) => operation.tags.includes(tag))
      .map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
  );
}

function contents(document: ApiDocument): string {
  const list = (items: readonly string[]) => `<ul>${items.map((item) => `<li>${item}</li>`).join('')}</ul>`;
  const tags = document.tags.map(
    ({ name }) =>
      `<strong>${escapeHtml(name)}</strong>${list(operationsOf(document, name).map(({ operation }) => link(operation.operationId, operation.summary)))}`,
  );
  const events = Object.entries(document.webhooks).map(([type, { post }]) => link(post.operationId, type));
  return `${tags.join('')}<strong>Events</strong>${list(events)}${link('errors', 'Errors')}`;
}

function link(anchor: string, text: string): string {
  return `<a href="#${escapeHtml(anchor)}">${escapeHtml(text)}</a>`;
}

function introduction({ info, servers, components }: ApiDocument): string {
  const keys = Object.values(components.securitySchemes)
    .map(({ bearerFormat, description }) => `<li><code>${escapeHtml(bearerFormat)}</code>: ${prose(description)}</li>`)
    .join('');
  return `<h1>${escapeHtml(info.title)}</h1>
<p class="muted">Version ${escapeHtml(info.version)}. Paths are below <code>${escapeHtml(servers[0]?.url ?? '')}</code>. The same as a document: <a href="${escapeHtml(servers[0]?.url ?? '')}/openapi.json">openapi.json</a>.</p>
<p>${prose(info.description)}</p>
<h2>Authentication</h2><p>Send a key as <code>Authorization: Bearer &lt;key&gt;</code>.</p><ul>${keys}</ul>`;
}

function tagSection(document: ApiDocument, { name, description }: ApiDocument['tags'][number]): string {
  const operations = operationsOf(document, name).map((placed) => operationSection(document, placed));
  return `<section><h2>${escapeHtml(name)}</h2><p>${prose(description ?? '')}</p>${operations.join('')}</section>`;
}

function operationSection(document: ApiDocument, { method, path, operation }: PlacedOperation): string {
  const { requestBody } = operation;
  return `<article id="${escapeHtml(operation.operationId)}"><h3>${escapeHtml(operation.summary)}</h3>
<p><code>${method} ${escapeHtml(path)}</code></p>${paragraphs(operation.description)}${parameterTable(document, operation)}
${requestBody === undefined ? '' : `<h4>Body</h4><p class="muted">${prose(requestBody.description ?? '')}</p>${contentFields(document, requestBody.content)}`}
<h4>Answers</h4>${responseList(document, operation)}</article>`;
}

function parameterTable(document: ApiDocument, { parameters = [] }: ApiOperation): string {
  if (parameters.length === 0) return '';
  const rows = parameters.map(({ name, in: place, required, description = '', schema }) => [
    `<code>${escapeHtml(name)}</code><br><span class="muted">${escapeHtml(place)}${required ? ', required' : ''}</span>`,
    escapeHtml(typeOf(schema, document.components.schemas)),
    prose(description),
  ]);
  return `<h4>Parameters</h4>${table(['Name', 'Type', 'Meaning'], rows)}`;
}

/** The fields of every media type, and its examples. */
function contentFields(document: ApiDocument, content: ApiContent): string {
  return Object.entries(content)
    .map(([mediaType, { schema, examples = {} }]) => {
      // A picture has no fields.
      if (schema === undefined) return `<p><code>${escapeHtml(mediaType)}</code></p>`;
      const fields = fieldsOf(schema, document.components.schemas).map(({ path, type, required, description }) => [
        `<code>${escapeHtml(path)}</code>${required ? '<br><span class="muted">required</span>' : ''}`,
        escapeHtml(type),
        prose(description),
      ]);
      const shown = Object.entries(examples).map(
        ([name, { value }]) =>
          `<details><summary>Example: ${escapeHtml(name.replaceAll('_', ' '))}</summary><pre><code>${escapeHtml(JSON.stringify(value, null, 2))}</code></pre></details>`,
      );
      return `${fields.length === 0 ? '' : table(['Field', 'Type', 'Meaning'], fields)}${shown.join('')}`;
    })
    .join('');
}

function responseList(document: ApiDocument, operation: ApiOperation): string {
  return Object.entries(operation.responses)
    .map(([status, response]) => {
      const whole = '$ref' in response ? (document.components.responses[response.$ref.split('/').at(-1) ?? ''] as ApiResponse) : response;
      const fields = status.startsWith('2') && whole.content !== undefined ? contentFields(document, whole.content) : '';
      const line = `<strong>${escapeHtml(status)}</strong> ${prose(whole.description)}`;
      return fields === '' ? `<p>${line}</p>` : `<details><summary>${line}</summary>${fields}</details>`;
    })
    .join('');
}

function webhookSection(document: ApiDocument): string {
  const events = Object.entries(document.webhooks).map(
    ([type, { post }]) =>
      `<article id="${escapeHtml(post.operationId)}"><h3><code>${escapeHtml(type)}</code></h3><p>${prose(post.summary)}</p>${paragraphs(post.description)}${parameterTable(document, post)}<h4>Body</h4>${post.requestBody === undefined ? '' : contentFields(document, post.requestBody.content)}</article>`,
  );
  return `<section><h2>Events</h2>${events.join('')}</section>`;
}

function errorSection(document: ApiDocument): string {
  const rows = Object.values(document.components.responses).flatMap(({ content }) => {
    const example = Object.values(content?.['application/problem+json']?.examples ?? {})[0]?.value as
      | { readonly status: number; readonly code: string; readonly detail: string }
      | undefined;
    return example === undefined ? [] : [[String(example.status), `<code>${escapeHtml(example.code)}</code>`, prose(example.detail)]];
  });
  return `<section id="errors"><h2>Errors</h2><p>Every error is <code>application/problem+json</code> (RFC 9457) with a stable <code>code</code>; a 422 names every offending field in <code>errors</code>.</p>${table(['Status', 'Code', 'When'], rows)}</section>`;
}

/** Cells are HTML already. */
function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const cells = (tag: 'th' | 'td', row: readonly string[]) => `<tr>${row.map((cell) => `<${tag}>${cell}</${tag}>`).join('')}</tr>`;
  return `<table><thead>${cells('th', head)}</thead><tbody>${rows.map((row) => cells('td', row)).join('')}</tbody></table>`;
}

function paragraphs(text: string | undefined): string {
  return (text ?? '')
    .split('\n\n')
    .filter(Boolean)
    .map((paragraph) => `<p>${prose(paragraph)}</p>`)
    .join('');
}

/** The one mark of Markdown that descriptions use is `code`. */
function prose(text: string): string {
  return text
    .split('`')
    .map((part, index) => (index % 2 === 1 ? `<code>${escapeHtml(part)}</code>` : escapeHtml(part)))
    .join('');
}
