import type { Domain } from '../../../../shared/contract/schemas/domain.js';
import { useDraftForm } from '../../forms/draft-form.js';
import type { FieldValues } from '../../forms/field-values.js';
import { SwitchField, TextField } from '../../forms/fields.js';
import { Form } from '../../forms/form.js';
import { changedMembers } from '../../forms/merge.js';
import { useSavedObject } from '../../forms/saved-object.js';
import { urlOfField } from '../../forms/url-field.js';
import { text } from '../../language/text.js';
import { Dialog } from '../../parts/dialog.js';
import { Answered } from '../../parts/states.js';
import { toast } from '../../parts/toasts.js';
import { useRead, useWrite } from '../../session/queries.js';
import { CasePairs } from './case-pairs.js';

function valuesOf({ redirects, case_insensitive }: Domain): FieldValues {
  return {
    '/redirects/root': redirects.root ?? '',
    '/redirects/not_found': redirects.not_found ?? '',
    '/redirects/expired': redirects.expired ?? '',
    '/case_insensitive': case_insensitive,
  };
}

function bodyOf(values: FieldValues) {
  const urlOf = (name: string) => urlOfField(String(values[`/redirects/${name}`] ?? ''));
  return {
    redirects: { root: urlOf('root'), not_found: urlOf('not_found'), expired: urlOf('expired') },
    case_insensitive: values['/case_insensitive'] === true,
  };
}

interface DomainSettingsProps {
  readonly domain: Domain;
  readonly onClose: () => void;
}

export function DomainSettings({ domain, onClose }: DomainSettingsProps) {
  const read = useRead('GET /domains/{domain}', { params: { domain: domain.id } });
  return (
    <Dialog title={text('Pages of {hostname}', { hostname: domain.hostname })} onClose={onClose}>
      <Answered read={read} lines={4}>
        {(saved) => <SettingsForm domain={saved} onClose={onClose} />}
      </Answered>
    </Dialog>
  );
}

function SettingsForm({ domain, onClose }: DomainSettingsProps) {
  const update = useWrite('PATCH /domains/{domain}', { outdates: ['/domains'] });
  const saved = useSavedObject('GET /domains/{domain}', { params: { domain: domain.id } }, domain, valuesOf);
  const form = useDraftForm({
    name: `domain/${domain.id}`,
    ...saved,
    submit: async (values, { base, ifMatch }) => {
      await update.mutateAsync({ params: { domain: domain.id }, body: changedMembers(bodyOf(base), bodyOf(values)), ifMatch });
      toast(text('{hostname} was changed.', { hostname: domain.hostname }));
      onClose();
    },
  });
  return (
    <Form form={form} submit={text('Save changes')} onCancel={onClose}>
      <TextField
        field="/redirects/root"
        label={text('Start page')}
        type="url"
        placeholder="https://example.com/"
        help={text('Where {hostname}/ leads.', { hostname: domain.hostname })}
      />
      <TextField
        field="/redirects/not_found"
        label={text('Unknown and disabled links')}
        type="url"
        placeholder="https://example.com/404"
        help={text('If this is empty, visitors see a page that says that the link does not exist.')}
      />
      <TextField field="/redirects/expired" label={text('Expired links')} type="url" placeholder="https://example.com/over" />
      <SwitchField
        field="/case_insensitive"
        label={text('Ignore case')}
        help={text('A path that leads nowhere is tried again in lower case: /Spring leads to /spring.')}
      />
      {form.values['/case_insensitive'] === true ? <CasePairs domain={domain.id} /> : null}
    </Form>
  );
}
