import { Link } from 'wouter';
import type { UrlTemplate } from '../../../../shared/contract/schemas/url-template.js';
import { text } from '../../language/text.js';
import { StatusBadge } from '../../parts/badge.js';
import { CopyButton } from '../../parts/copy.js';

export function TemplateRow({ template }: { readonly template: UrlTemplate }) {
  return (
    <div className="row">
      <div className="row-main">
        <div className="row-title">
          <Link href={`/url-templates/${template.id}`}>{template.path_pattern}</Link>
          <CopyButton text={template.url_example} label={text('Copy {url}', { url: template.url_example })} />
        </div>
        <div className="row-note">
          {template.redirects.web ?? text("{path} by the environment's defaults", { path: template.deep_link_path })}
        </div>
      </div>
      <div className="row-side">
        <code>{template.resource_type}</code>
        <StatusBadge status={template.status} />
      </div>
    </div>
  );
}
