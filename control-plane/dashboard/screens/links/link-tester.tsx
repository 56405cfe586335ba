import type { LinkTestResult } from '../../../../shared/contract/schemas/link-test.js';
import { useDraftForm } from '../../forms/draft-form.js';
import { SelectField, TextField } from '../../forms/fields.js';
import { Form } from '../../forms/form.js';
import { labelled, message, text } from '../../language/text.js';
import { Badge, type Tone } from '../../parts/badge.js';
import { statusWord } from '../../parts/status-words.js';
import { Trace } from '../../parts/trace.js';
import { useWrite } from '../../session/queries.js';

/** Simulates a visit that is not counted, and shows every rule that fired. */
export function LinkTester({ path }: { readonly path: string }) {
  const test = useWrite('POST /links/test', { outdates: [] });
  const form = useDraftForm({
    name: `link-test${path}`,
    initial: { '/path': path, '/platform': '', '/user_agent': '', '/country': '' },
    submit: ({ '/path': tried, '/platform': platform, '/user_agent': userAgent, '/country': country }) =>
      test.mutateAsync({
        body: {
          path: String(tried).trim(),
          ...(platform === '' ? {} : { platform: platform as 'ios' }),
          ...(userAgent === '' ? {} : { user_agent: String(userAgent) }),
          ...(country === '' ? {} : { country: String(country).trim().toUpperCase() }),
        },
      }),
  });
  return (
    <div className="stack">
      <Form form={form} submit={text('Try it')} needs="links:read">
        <div className="field-row">
          <TextField field="/path" label={text('URL or path')} help={text('Include the query that a visitor would send.')} monospace />
          <SelectField field="/platform" label={text('Visitor')} choices={labelled(VISITORS)} />
          <TextField
            field="/user_agent"
            label={text('User agent')}
            placeholder="WhatsApp/2.23.20.0"
            help={text(
              'Optional. Decides what kind of visitor it is, for example a preview bot. The choice of a phone or another device takes precedence.',
            )}
          />
          <TextField
            field="/country"
            label={text('Country')}
            placeholder="DE"
            help={text('Optional. Two letters, for links with destinations by country.')}
          />
        </div>
      </Form>
      <LinkTestAnswer answer={test.data} />
    </div>
  );
}

const VISITORS = [
  { value: '', label: message('On a computer') },
  { value: 'ios', label: message('On an iPhone') },
  { value: 'android', label: message('On an Android phone') },
  { value: 'other', label: message('On another device') },
];

function toneOf({ outcome, status }: LinkTestResult): Tone {
  if (status === null) return 'quiet';
  if (outcome === 'password_page') return 'info';
  return status < 300 ? 'info' : status < 400 ? 'good' : 'warn';
}

/** What a visitor gets, which is read aloud when it comes, and the rules that led to it. */
export function LinkTestAnswer({ answer }: { readonly answer: LinkTestResult | undefined }) {
  return (
    <>
      <div role="status">{answer === undefined ? null : <Outcome answer={answer} />}</div>
      {answer === undefined ? null : <Trace trace={answer.trace} />}
    </>
  );
}

function Outcome({ answer }: { readonly answer: LinkTestResult }) {
  return (
    <div className="answer">
      <Badge tone={toneOf(answer)}>{answer.status === null ? statusWord(answer.result) : `HTTP ${answer.status}`}</Badge>
      <p lang="en">{answer.detail}</p>
      {answer.outcome === 'password_page' && answer.destination !== null ? <p>{text('Visitors who enter the password get to:')}</p> : null}
      {answer.destination === null ? null : <code>{answer.destination}</code>}
    </div>
  );
}
