import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { Link } from '../../../../shared/contract/schemas/link.js';
import { type ApiError, call } from '../../api/client.js';
import { toast } from '../../parts/toasts.js';
import { useConnection } from '../../session/signed-in.js';

/** Disables a link or enables it again. The new state is shown immediately, and reverted if the API refuses. */
export function useSwitchLink(link: Link): () => void {
  const { connection, environment } = useConnection();
  const client = useQueryClient();
  const key = [environment, '/links/{link}', { params: { link: link.id } }];
  const status = link.status === 'disabled' ? 'active' : 'disabled';
  const { mutate } = useMutation<Link, ApiError, void>({
    mutationFn: () => call(connection, 'PATCH /links/{link}', { params: { link: link.id }, body: { status } }),
    onMutate: async () => {
      await client.cancelQueries({ queryKey: key });
      client.setQueryData(key, { ...link, status });
    },
    onSuccess: (changed) => {
      client.setQueryData(key, changed);
      toast(status === 'disabled' ? `${link.path} is disabled: visitors get a page that says so.` : `${link.path} works again.`);
    },
    onError: (error) => {
      client.setQueryData(key, link);
      toast(error.message, 'bad');
    },
    onSettled: () =>
      client.invalidateQueries({ predicate: ({ queryKey: [of, path] }) => of === environment && String(path).startsWith('/links') }),
  });
  return () => mutate();
}
