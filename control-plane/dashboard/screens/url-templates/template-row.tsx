import type { UrlTemplate } from '../../../../shared/contract/schemas/url-template.js';
import { text } from '../../language/text.js';
import { Row } from '../../parts/row.js';

interface TemplateRowProps {
  readonly template: UrlTemplate;
  /** Whether all templates of the list are of one resource type, which the screen is about. */
  readonly ofType?: boolean;
}

export function TemplateRow({ template, ofType = false }: TemplateRowProps) {
  return (
    <Row
      to={`/url-templates/${template.id}`}
      title={template.path_pattern}
      url={template.url_example}
      note={template.redirects.web ?? text("{path} by the environment's defaults", { path: template.deep_link_path })}
      status={template.status}
    >
      {ofType ? null : <code>{template.resource_type}</code>}
    </Row>
  );
}
