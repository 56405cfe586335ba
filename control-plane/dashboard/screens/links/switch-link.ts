import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { Link } from '../../../../shared/contract/schemas/link.js';
import { type ApiError, call, changedCopy, tagOf } from '../../api/client.js';
import { text } from '../../language/text.js';
import { toast } from '../../parts/toasts.js';
import { outdate } from '../../session/outdate.js';
import { showChanged } from '../../session/show-changed.js';
import { useConnection } from '../../session/signed-in.js';

/** Disables a link or enables it again. The new state is shown immediately, and reverted if the API refuses. */
export function useSwitchLink(link: Link): () => void {
  const { connection, environment } = useConnection();
  const client = useQueryClient();
  const key = [environment, '/links/{link}', { params: { link: link.id } }];
  // When the response arrives, the link on the screen already has the new state. The requested state and the old link are therefore passed
  // along with the call. A second change waits for the response to the first one, and uses the tag of that response.
  const { mutate } = useMutation<Link, ApiError, 'active' | 'disabled', Link>({
    scope: { id: link.id },
    mutationFn: (status) => {
      const ifMatch = tagOf(client.getQueryData<Link>(key) ?? link);
      return call(connection, 'PATCH /links/{link}', { params: { link: link.id }, body: { status } }, { ifMatch });
    },
    onMutate: async (status) => {
      await client.cancelQueries({ queryKey: key });
      client.setQueryData(key, changedCopy(link, { status }));
      return link;
    },
    onSuccess: (changed, status) => {
      client.setQueryData(key, changed);
      showChanged(client, { environment, path: '/links', changed: [changed] });
      toast(
        status === 'disabled'
          ? text('{path} is disabled: visitors see that there is no link any more.', { path: link.path })
          : text('{path} works again.', { path: link.path }),
      );
    },
    onError: (error, _, before) => {
      client.setQueryData(key, before);
      toast(error.message, 'bad');
    },
    onSettled: () => outdate(client, { environment, prefixes: ['/links'], made: false }),
  });
  return () => mutate(link.status === 'disabled' ? 'active' : 'disabled');
}
