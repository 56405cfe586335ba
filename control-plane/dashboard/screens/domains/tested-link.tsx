import { useState } from 'react';
import { useDraftForm } from '../../forms/draft-form.js';
import { TextField } from '../../forms/fields.js';
import { Form } from '../../forms/form.js';
import { urlOfField } from '../../forms/url-field.js';
import { languageOf } from '../../language/quoted.js';
import { text } from '../../language/text.js';
import { Button } from '../../parts/button.js';
import { CopyField } from '../../parts/copy.js';
import { useWrite } from '../../session/queries.js';
import { LinkTestAnswer } from '../links/link-tester.js';

interface TestedLinkProps {
  readonly hostname: string;
  readonly onClose: () => void;
}

/** Creates a link on the host and shows what its visitors get. */
export function TestedLink({ hostname, onClose }: TestedLinkProps) {
  const [url, setUrl] = useState<string | null>(null);
  const create = useWrite('POST /links', { outdates: ['/links'] });
  const test = useWrite('POST /links/test', { outdates: [] });
  const form = useDraftForm({
    name: `domain/link/${hostname}`,
    initial: { '/destinations/web': '' },
    submit: async (values) => {
      // Links may have no destination, but this one is meant to be followed. An empty field is sent, so that the API refuses it.
      const web = urlOfField(String(values['/destinations/web'])) ?? '';
      const link = await create.mutateAsync({ body: { domain: hostname, destinations: { web } } });
      setUrl(link.url);
      // Not awaited: the link is created, even if the test fails, which is said beside the link.
      test.mutate({ body: { path: link.url } });
    },
  });
  if (url === null)
    return (
      <Form form={form} submit={text('Create the link')} onCancel={onClose}>
        <TextField
          field="/destinations/web"
          label={text('Destination')}
          placeholder="https://example.com/"
          help={text('Destination of a first link on {hostname}.', { hostname })}
          required
        />
      </Form>
    );
  return (
    <>
      <CopyField text={url} label={text('Copy the link')} />
      <p>
        <a href={url} target="_blank" rel="noreferrer">
          {text('Open it like a visitor')}
        </a>
      </p>
      <p className="muted">{text('What a visitor gets:')}</p>
      {test.data === undefined ? (
        <p className="muted" lang={languageOf(test.error?.message)}>
          {test.error?.message ?? text('Testing …')}
        </p>
      ) : null}
      <LinkTestAnswer answer={test.data} />
      <div className="form-buttons">
        <Button variant="primary" onClick={onClose}>
          {text('Done')}
        </Button>
      </div>
    </>
  );
}
