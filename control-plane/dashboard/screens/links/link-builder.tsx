import './link-builder.css';
import type { DraftForm } from '../../forms/draft-form.js';
import { Form } from '../../forms/form.js';
import { LinkFields } from './link-fields.js';
import { LinkRail } from './link-rail.js';

interface LinkBuilderProps {
  readonly form: DraftForm;
  readonly submit: string;
  readonly onCancel: () => void;
  /** The short URL of a saved link; null for a new one. */
  readonly url: string | null;
}

/** The form of a link, and a preview of the result beside it. */
export function LinkBuilder({ form, submit, onCancel, url }: LinkBuilderProps) {
  return (
    <div className="stack builder">
      <Form form={form} submit={submit} onCancel={onCancel} bar>
        <LinkFields isNew={url === null} />
      </Form>
      <LinkRail values={form.values} url={url} />
    </div>
  );
}
