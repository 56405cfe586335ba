import { useDraftForm } from '../../forms/draft-form.js';
import { TextField } from '../../forms/fields.js';
import { Form } from '../../forms/form.js';
import { text } from '../../language/text.js';
import { Dialog } from '../../parts/dialog.js';
import { useLeave } from '../../parts/leave.js';
import { toast } from '../../parts/toasts.js';
import { useWrite } from '../../session/queries.js';

export function NewResourceType({ onClose }: { readonly onClose: () => void }) {
  const navigate = useLeave();
  const create = useWrite('POST /resource-types', { outdates: ['/resource-types'] });
  const form = useDraftForm({
    name: 'resource-type/new',
    initial: { '/name': '', '/key': '' },
    submit: async (values) => {
      const body = { name: String(values['/name']).trim(), key: String(values['/key']).trim() };
      const type = await create.mutateAsync({ body });
      toast(text('{name} was created. Now create a URL template for it.', { name: type.name }));
      navigate(`/resource-types/${type.id}`);
    },
  });
  return (
    <Dialog title={text('New resource type')} onClose={onClose}>
      <Form form={form} submit={text('Create type')} onCancel={onClose}>
        <TextField field="/name" label={text('Name')} placeholder={text('Product')} required />
        <TextField
          field="/key"
          label={text('Key')}
          placeholder="product"
          help={text(
            'Appears in payloads and templates. Lower-case letters, digits, _ and - are allowed. The key never changes and cannot be used again.',
          )}
          required
          monospace
        />
      </Form>
    </Dialog>
  );
}
