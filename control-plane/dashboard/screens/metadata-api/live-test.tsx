import { useState } from 'react';
import type { MetadataApi, MetadataApiTestResult } from '../../../../shared/contract/schemas/metadata-api.js';
import type { PreviewResult } from '../../../../shared/contract/schemas/resources.js';
import { indentedJson } from '../../format/json.js';
import { durationMs } from '../../format/numbers.js';
import { useDraftForm } from '../../forms/draft-form.js';
import { TextField } from '../../forms/fields.js';
import { Form } from '../../forms/form.js';
import { text, textOf } from '../../language/text.js';
import { StatusBadge } from '../../parts/badge.js';
import { type CardContent, CardGallery } from '../../parts/card-gallery.js';
import { Fact } from '../../parts/fact.js';
import { CodeBlock } from '../../parts/scrolling.js';
import { useRows, useWrite } from '../../session/queries.js';
import { useSignedIn } from '../../session/signed-in.js';
import { MAPPED_FIELDS, MAPPED_LABELS } from './metadata-values.js';

interface Tried {
  /** When the configuration that was tested was saved. */
  readonly savedAt: string;
  readonly test: MetadataApiTestResult;
  /** Null if the type has no template, and therefore no URL by which an item could be shared. */
  readonly preview: PreviewResult | null;
}

interface LiveTestProps {
  readonly typeId: string;
  /** The saved configuration, which is the one that is tested. */
  readonly api: MetadataApi;
  readonly unsaved: boolean;
}

/** Calls the customer's API for one item, and shows the response, the mapped fields and the card. */
export function LiveTest({ typeId, api, unsaved }: LiveTestProps) {
  const [last, setTried] = useState<Tried | null>(null);
  // What came of an earlier configuration would be taken for the result of the present one.
  const tried = last?.savedAt === api.updated_at ? last : null;
  const template = useRows('GET /url-templates', { query: { resource_type_id: typeId, status: 'active' } }).rows[0];
  const test = useWrite('POST /resource-types/{type}/metadata-api/test', { outdates: [] });
  const preview = useWrite('POST /resources/preview', { outdates: [] });
  const form = useDraftForm({
    name: `metadata-test/${typeId}`,
    initial: { '/id': '' },
    submit: async (values) => {
      const id = String(values['/id']);
      const path = template?.path_pattern.replace('{id}', encodeURIComponent(id));
      const [tested, previewed] = await Promise.all([
        test.mutateAsync({ params: { type: typeId }, body: { id } }),
        path === undefined ? null : preview.mutateAsync({ body: { path } }),
      ]);
      setTried({ savedAt: api.updated_at, test: tested, preview: previewed });
    },
  });
  return (
    <div className="stack">
      <Form form={form} submit={text('Call the API')}>
        <TextField
          field="/id"
          label={text('Id of an item')}
          placeholder="42"
          help={text('Enter the id of an existing item. Nothing is cached or counted.')}
          monospace
        />
      </Form>
      {unsaved ? (
        <p className="notice notice-warn">{text('The test uses the saved configuration. Save the changes below to include them.')}</p>
      ) : null}
      <div role="status">{tried === null ? null : <Outcome test={tried.test} />}</div>
      {tried === null ? null : <TestAnswer tried={tried} />}
    </div>
  );
}

/** How the call went, which is read aloud when it has ended. */
function Outcome({ test }: Pick<Tried, 'test'>) {
  return (
    <div className="answer">
      <div className="row-side side-by-side quiet">
        <StatusBadge status={test.outcome} />
        {test.reason === null ? null : <code>{test.reason}</code>}
        {test.status === null ? null : <span>HTTP {test.status}</span>}
        {test.latency_ms === null ? null : <span>{durationMs(test.latency_ms)}</span>}
      </div>
      {test.request_url === null ? null : <code>{test.request_url}</code>}
    </div>
  );
}

function TestAnswer({ tried: { test, preview } }: { readonly tried: Tried }) {
  return (
    <>
      <Notes test={test} />
      <div className="columns columns-wide">
        <div>
          <h3>{text('The answer')}</h3>
          <CodeBlock label={text('The answer')}>{test.response_body === null ? text('None.') : indentedJson(test.response_body)}</CodeBlock>
        </div>
        <div>
          <h3>{text('Mapped fields')}</h3>
          <MappedFields test={test} />
        </div>
      </div>
      <Cards test={test} preview={preview} />
    </>
  );
}

function Notes({ test }: { readonly test: MetadataApiTestResult }) {
  const notes = [...test.issues.map((note) => ({ ...note, tone: 'danger' })), ...test.warnings.map((note) => ({ ...note, tone: 'warn' }))];
  if (notes.length === 0) return null;
  return (
    <div>
      {notes.map(({ field, code, detail, tone }) => (
        <p key={`${field} ${code}`} className={`notice notice-${tone}`}>
          <strong>{textOf(MAPPED_LABELS[field])}</strong>
          <span lang="en">
            {detail} <code>{code}</code>
          </span>
        </p>
      ))}
    </div>
  );
}

function MappedFields({ test }: { readonly test: MetadataApiTestResult }) {
  if (test.metadata === null) return <p className="muted">{text('No fields could be mapped.')}</p>;
  const { metadata } = test;
  return (
    <dl className="facts">
      {MAPPED_FIELDS.map((field) => (
        <Fact key={field} label={textOf(MAPPED_LABELS[field])}>
          {metadata[field] ?? <span className="muted">–</span>}
        </Fact>
      ))}
    </dl>
  );
}

/** The card that preview bots would get. Without a template it is made from the mapped fields. */
function Cards({ test, preview }: Omit<Tried, 'savedAt'>) {
  const { settings } = useSignedIn();
  const { host } = new URL(settings.link_origin);
  const content: CardContent | null =
    preview !== null
      ? { ...preview.card, host }
      : test.metadata === null
        ? null
        : {
            title: test.metadata.title,
            description: test.metadata.description,
            image_url: test.metadata.image_url,
            large_image: test.metadata.image_url !== null,
            host,
          };
  if (content === null) return null;
  return (
    <div>
      <h3>{text('The card')}</h3>
      <p className="muted" lang={preview === null ? undefined : 'en'}>
        {preview === null ? text('The type has no URL template yet: this is what the mapped fields would show.') : preview.detail}
      </p>
      <CardGallery content={content} />
    </div>
  );
}
