import type { UrlTemplateWithWarnings } from '../../../../shared/contract/schemas/url-template.js';
import { useStickyState } from '../../session/sticky-state.js';

interface Warned {
  readonly id: string;
  readonly warnings: UrlTemplateWithWarnings['warnings'];
}

/** The warnings of the last write of a template. The API returns them once, and the page shows them until the next write. */
export function useTemplateWarnings() {
  return useStickyState<Warned | null>('url-template/warnings', null);
}

export function TemplateWarnings({ warnings }: { readonly warnings: Warned['warnings'] }) {
  return (
    <div role="status">
      {warnings.map(({ pointer, detail, reasons }) => (
        <p key={pointer} className="notice notice-warn">
          <code>{pointer}</code>
          <span lang="en">
            {detail} ({reasons.join(', ')})
          </span>
        </p>
      ))}
    </div>
  );
}
