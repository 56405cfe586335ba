import type { DraftForm } from '../../forms/draft-form.js';
import { TextField } from '../../forms/fields.js';
import { FieldGroup } from '../../forms/form.js';
import { CardGallery } from '../../parts/card-gallery.js';
import type { FieldValues } from '../../session/field-values.js';
import { useSignedIn } from '../../session/signed-in.js';

/** The preview card of a link, and how chats show it. */
export function CardFields({ form }: { readonly form: DraftForm<FieldValues> }) {
  const { settings } = useSignedIn();
  const textOf = (member: string) => String(form.values[`/card/${member}`] ?? '').trim() || null;
  const [title, description, image_url] = [textOf('title'), textOf('description'), textOf('image_url')];
  const isEmpty = title === null && description === null && image_url === null;
  const host = String(form.values['/domain'] ?? '') || settings.link_host;
  return (
    <FieldGroup
      title="Preview card"
      help="What chats and social networks show of the link. Leave it empty, and they show the card of the web destination."
    >
      <TextField form={form} field="/card/title" label="Title" placeholder={settings.project.name} />
      <TextField form={form} field="/card/description" label="Description" />
      <TextField form={form} field="/card/image_url" label="Image" type="url" placeholder="https://example.com/spring.png" />
      {isEmpty ? null : (
        <CardGallery content={{ title: title ?? settings.project.name, description, image_url, large_image: image_url !== null, host }} />
      )}
    </FieldGroup>
  );
}
