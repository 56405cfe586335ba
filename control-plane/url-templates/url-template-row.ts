import { formatInstant } from '../../shared/base/instant.js';
import type { UrlTemplate, UrlTemplateWithWarnings } from '../../shared/contract/schemas/url-template.js';
import { destinationsFromJson } from '../../shared/feed/codec.js';
import type { IdFormat } from '../../shared/records/id-format.js';
import type { DestinationSlot, Destinations } from '../../shared/records/records.js';
import { destinationWarnings } from '../../shared/resolve/destination-check.js';
import type { LinkUrlForm } from '../../shared/resolve/link-origin.js';
import { linkUrl } from '../links/link-row.js';

/** A row of `url_templates` as its statements read and write it. */
export interface UrlTemplateRow {
  readonly id: string;
  readonly resource_type_id: string;
  /** Key of the type. */
  readonly resource_type: string;
  readonly path_pattern: string;
  readonly id_format: IdFormat;
  readonly deep_link_path: string;
  readonly data: Readonly<Record<string, unknown>> | null;
  /** Only the slots that are set. */
  readonly redirects: Partial<Destinations>;
  readonly allow_param_passthrough: boolean;
  readonly status: UrlTemplate['status'];
  readonly created_at: Date;
  readonly updated_at: Date;
}

/** The properties of the caller's environment that a template is shown with. */
export interface UrlTemplateView {
  readonly linkHost: string;
  readonly form: LinkUrlForm;
}

export function urlTemplateOfRow(row: UrlTemplateRow, { linkHost, form }: UrlTemplateView): UrlTemplate {
  return {
    id: row.id,
    resource_type_id: row.resource_type_id,
    resource_type: row.resource_type,
    path_pattern: row.path_pattern,
    url_example: linkUrl(form, linkHost, row.path_pattern.slice(1)),
    id_format: row.id_format,
    deep_link_path: row.deep_link_path,
    data: row.data,
    redirects: destinationsFromJson(row.redirects),
    allow_param_passthrough: row.allow_param_passthrough,
    status: row.status,
    created_at: formatInstant(row.created_at.getTime()),
    updated_at: formatInstant(row.updated_at.getTime()),
  };
}

/** Returns the template with a warning for each destination that looks suspicious, as the responses to creations and changes show it. */
export function urlTemplateWithWarnings(row: UrlTemplateRow, view: UrlTemplateView): UrlTemplateWithWarnings {
  const template = urlTemplateOfRow(row, view);
  return { ...template, warnings: destinationWarnings(template.redirects, '/redirects') };
}

/** The redirects as they are stored: without the slots that are not set. */
export function storedRedirects(redirects: Destinations): Partial<Destinations> {
  return Object.fromEntries(Object.entries(redirects).filter(([, url]) => url !== null)) as { [Slot in DestinationSlot]?: string };
}
