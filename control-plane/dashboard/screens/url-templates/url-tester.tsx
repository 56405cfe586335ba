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
      <UrlTestAnswer answer={test.data} />
    </div>
  );
}

const VISITORS = [
  { value: 'desktop', label: message('On a computer') },
  { value: 'ios', label: message('On an iPhone') },
  { value: 'android', label: message('On an Android phone') },
  { value: 'other', label: message('On another device') },
];

/** Where the URL leads, which is read aloud when it comes, and the rules that decided it. */
function UrlTestAnswer({ answer }: { readonly answer: UrlTestResult | undefined }) {
  return (
    <>
      <div role="status">{answer === undefined ? null : <Outcome answer={answer} />}</div>
      {answer?.rendered == null ? null : <CodeBlock label={text('Rendered data')}>{JSON.stringify(answer.rendered, null, 2)}</CodeBlock>}
      {answer === undefined ? null : <Trace trace={answer.trace} />}
    </>
  );
}

function Outcome({ answer: { result, detail, id, resource_type } }: { readonly answer: UrlTestResult }) {
  return (
    <div className="answer">
      <StatusBadge status={result} />
      <p lang="en">{detail}</p>
      {id === null ? null : (
        <p>
          {resource_type} <code>{id}</code>
        </p>
      )}
    </div>
  );
}
