import { useDraftForm } from '../../forms/draft-form.js';
import { TextField } from '../../forms/fields.js';
import { Form } from '../../forms/form.js';
import { Dialog } from '../../parts/dialog.js';
import { toast } from '../../parts/toasts.js';
import { useWrite } from '../../session/queries.js';

export function AddDomain({ onClose }: { readonly onClose: () => void }) {
  const create = useWrite('POST /domains', { outdates: ['/domains'] });
  const form = useDraftForm({
    name: 'domain/new',
    initial: { '/hostname': '' },
    conflictField: '/hostname',
    submit: async (values) => {
      const domain = await create.mutateAsync({ body: { hostname: String(values['/hostname']).trim() } });
      toast(`${domain.hostname} is added. Now set its DNS record.`);
      onClose();
    },
  });
  return (
    <Dialog title="Add a domain" onClose={onClose}>
      <Form form={form} submit="Add domain" onCancel={onClose}>
        <TextField
          form={form}
          field="/hostname"
          label="Host name"
          placeholder="links.example.com"
          help="Without scheme and port."
          required
        />
      </Form>
    </Dialog>
  );
}
