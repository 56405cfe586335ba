import type { UrlTestResult } from '../../../../shared/contract/schemas/url-template.js';
import { useDraftForm } from '../../forms/draft-form.js';
import { SelectField, TextField } from '../../forms/fields.js';
import { Form } from '../../forms/form.js';
import { labelled, message, text } from '../../language/text.js';
import { StatusBadge } from '../../parts/badge.js';
import { CodeBlock } from '../../parts/scrolling.js';
import { Trace } from '../../parts/trace.js';
import { useWrite } from '../../session/queries.js';

/** Shows how a URL is resolved, using the same code that serves visitors. */
export function UrlTester({ name, path }: { readonly name: string; readonly path: string }) {
  const test = useWrite('POST /url-templates/test', { outdates: [] });
  const form = useDraftForm({
    name: `url-test/${name}`,
    initial: { '/path': path, '/platform': 'desktop' },
    submit: (values) => test.mutateAsync({ body: { path: String(values['/path']).trim(), platform: values['/platform'] as 'desktop' } }),
  });
  return (
    <div className="stack">
      <Form form={form} submit={text('Try it')} needs="links:read">
        <div className="field-row">
          <TextField field="/path" label={text('URL or path')} placeholder="/p/42" monospace />
          <SelectField field="/platform" label={text('Visitor')} choices={labelled(VISITORS)} />
        </div>
      </Form>
      {test.data === undefined ? null : <UrlTestAnswer answer={test.data} />}
    </div>
  );
}

const VISITORS = [
  { value: 'desktop', label: message('On a computer') },
  { value: 'ios', label: message('On an iPhone') },
  { value: 'android', label: message('On an Android phone') },
  { value: 'other', label: message('On another device') },
];

function UrlTestAnswer({ answer }: { readonly answer: UrlTestResult }) {
  return (
    <div className="stack" aria-live="polite">
      <div className="answer">
        <StatusBadge status={answer.result} />
        <p lang="en">{answer.detail}</p>
        {answer.id === null ? null : (
          <p>
            {answer.resource_type} <code>{answer.id}</code>
          </p>
        )}
      </div>
      {answer.rendered === null ? null : <CodeBlock label={text('Rendered data')}>{JSON.stringify(answer.rendered, null, 2)}</CodeBlock>}
      <Trace trace={answer.trace} />
    </div>
  );
}
