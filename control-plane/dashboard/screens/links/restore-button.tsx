import type { ListedLink } from '../../../../shared/contract/schemas/link-list.js';
import { withoutScheme } from '../../format/urls.js';
import { text } from '../../language/text.js';
import { Button } from '../../parts/button.js';
import { toast, toastFailure } from '../../parts/toasts.js';
import { useWrite } from '../../session/queries.js';

/** Restores a deleted link. It disappears from the list of deleted links when that is read again. */
export function RestoreButton({ link }: { readonly link: ListedLink }) {
  const restore = useWrite('POST /links/{link}/restore', {
    outdates: ['/links', '/tags'],
    onDone: () => toast(text('{url} was restored.', { url: link.url })),
    onFailed: toastFailure,
  });
  return (
    <Button
      needs="links:write"
      label={text('Restore {link}', { link: withoutScheme(link.url) })}
      busy={restore.isPending}
      disabled={restore.isSuccess}
      onClick={() => restore.mutate({ params: { link: link.id } })}
    >
      {text('Restore')}
    </Button>
  );
}
