import type { UrlTemplate } from '../../../../shared/contract/schemas/url-template.js';
import { text } from '../../language/text.js';
import { StatusBadge } from '../../parts/badge.js';
import { Row } from '../../parts/row.js';

export function TemplateRow({ template }: { readonly template: UrlTemplate }) {
  return (
    <Row
      to={`/url-templates/${template.id}`}
      title={template.path_pattern}
      url={template.url_example}
      note={template.redirects.web ?? text("{path} by the environment's defaults", { path: template.deep_link_path })}
    >
      <code>{template.resource_type}</code>
      <StatusBadge status={template.status} />
    </Row>
  );
}
