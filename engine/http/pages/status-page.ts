import { escapeHtml } from '../../../shared/base/escape-html.js';
import { renderPage } from './html.js';

/** The pages without a destination. They hold no script and say nothing of the link but its state. */
export const STATUS_PAGES = {
  not_found: { status: '404 Not Found', title: 'Link not found', text: 'There is no link at this address. Check it for a typing error.' },
  disabled: { status: '404 Not Found', title: 'Link not found', text: 'There is no link at this address any more.' },
  expired: { status: '410 Gone', title: 'Link expired', text: 'This link has expired.' },
  deleted: { status: '410 Gone', title: 'Link removed', text: 'This link was removed.' },
  blocked: { status: '403 Forbidden', title: 'Link blocked', text: 'This link was blocked because its destination may be dangerous.' },
  method_not_allowed: { status: '405 Method Not Allowed', title: 'Method not allowed', text: 'Links can only be opened.' },
  unavailable: {
    status: '503 Service Unavailable',
    title: 'Try again',
    text: 'This link could not be looked up just now. Try again in a moment.',
  },
  failed: {
    status: '500 Internal Server Error',
    title: 'Something went wrong',
    text: 'This link could not be opened. Try again in a moment.',
  },
} as const;

export type StatusPageName = keyof typeof STATUS_PAGES;

export interface StatusPage {
  readonly status: string;
  readonly body: Uint8Array;
}

export type StatusPages = { readonly [Name in StatusPageName]: StatusPage } & { readonly no_destination: StatusPage };

/** Every page of a project, made once. `projectName` is '' on a host that belongs to none. */
export function renderStatusPages(projectName: string): StatusPages {
  const pages: Record<string, StatusPage> = {};
  for (const [name, page] of Object.entries(STATUS_PAGES)) {
    pages[name] = { status: page.status, body: renderStatus(page.title, page.text, projectName) };
  }
  const text = `This link opens in ${projectName === '' ? 'an' : `the ${projectName}`} app. Open it on a phone or tablet that has the app.`;
  pages.no_destination = { status: '200 OK', body: renderStatus('Open on your phone', text, projectName) };
  return pages as unknown as StatusPages;
}

function renderStatus(title: string, text: string, projectName: string): Uint8Array {
  const name = projectName === '' ? '' : `<p class="name">${escapeHtml(projectName)}</p>\n`;
  const main = `${name}<h1>${escapeHtml(title)}</h1>\n<p>${escapeHtml(text)}</p>`;
  return Buffer.from(
    renderPage({ title: projectName === '' ? title : `${title} · ${projectName}`, head: '', bodyAttributes: '', main, script: '' }),
  );
}
