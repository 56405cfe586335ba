import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useLayoutEffect, useState } from 'react';
import type { Domain } from '../../../../shared/contract/schemas/domain.js';
import type { Link } from '../../../../shared/contract/schemas/link.js';
import type { QrFormat } from '../../../../shared/contract/schemas/link-qr.js';
import { ApiError, call, callForFile, tagOf } from '../../api/client.js';
import { sentenceOf } from '../../api/problem-words.js';
import { download } from '../../format/download.js';
import { languageOf, quotedAs } from '../../language/quoted.js';
import { type Message, message, text, textOf } from '../../language/text.js';
import { useAfterTyping } from '../../parts/after-typing.js';
import { Button } from '../../parts/button.js';
import { Dialog } from '../../parts/dialog.js';
import { Failure, Loading } from '../../parts/states.js';
import { toast } from '../../parts/toasts.js';
import { WholeParts } from '../../parts/whole-parts.js';
import { useWrite } from '../../session/queries.js';
import { useConnection, useMay } from '../../session/signed-in.js';
import { useStickyState } from '../../session/sticky-state.js';
import { QrFields } from './qr-fields.js';
import { isSize, type QrStyle, qrBody, storedStyle, styleOf, useDomainOf } from './qr-style.js';
import { readQr, SCANNED } from './read-qr.js';

/** Width of a download in pixels, for print at business-card size. SVG and PDF scale to any size. */
const PIXELS_DEFAULT = 1024;
const PREVIEW_PIXELS = 512;

const FORMATS: readonly { readonly format: QrFormat; readonly label: Message }[] = [
  { format: 'svg', label: message('Download SVG') },
  { format: 'png', label: message('Download PNG') },
  { format: 'pdf', label: message('Download PDF') },
];

/** Creates a QR code with a chosen style. The style is kept for other links of the host until the page is closed. */
export function QrDialog({ link, onClose }: { readonly link: Link; readonly onClose: () => void }) {
  const domain = useDomainOf(hostOf(link));
  const [chosen, setStyle] = useStickyState<QrStyle | null>(`qr style ${hostOf(link)}`, null);
  const style = chosen ?? styleOf(domain?.qr_style ?? null);
  // Only a width that can be used is kept for the next code.
  const [kept, keep] = useStickyState('qr pixels', PIXELS_DEFAULT);
  const [pixels, setPixels] = useState(kept);
  const enter = (typed: number) => {
    setPixels(typed);
    if (isSize(typed)) keep(typed);
  };
  const { saving, unread, save, forget } = useDownload(link, style, pixels);
  const change = (next: QrStyle) => {
    // What could not be read had another style.
    forget();
    setStyle(next);
  };
  const preview = usePreview(link, style);
  const fault = preview.isError ? faultOf(preview.error) : '';
  return (
    <Dialog title={text('QR code of {path}', { path: link.path })} onClose={onClose} wide>
      <div className="qr-studio">
        <div className="qr-preview">
          <Preview link={link} preview={preview} fault={fault} />
          <p className="field-help">
            <WholeParts text={link.url} />
          </p>
        </div>
        <QrFields style={style} fault={fault} pixels={pixels} onStyle={change} onPixels={enter} />
      </div>
      <div role="alert">{unread === null ? null : <UnreadNotice {...unread} />}</div>
      {domain === null ? null : <DomainStyle domain={domain} style={style} fault={fault} onStyle={change} />}
      <div className="form-buttons">
        {FORMATS.map(({ format, label }) => (
          <Button
            key={format}
            variant={format === 'svg' ? 'primary' : 'default'}
            busy={saving === format}
            disabled={fault !== '' || !isSize(pixels) || saving !== null}
            onClick={() => void save(format)}
          >
            {textOf(label)}
          </Button>
        ))}
      </div>
    </Dialog>
  );
}

function hostOf({ url }: Link): string {
  return new URL(url).hostname;
}

interface DomainStyleProps {
  readonly domain: Domain;
  readonly style: QrStyle;
  readonly fault: string;
  readonly onStyle: (style: QrStyle) => void;
}

/** The default style for QR codes of the domain's links. The user can apply it here, or replace it with the current style. */
function DomainStyle({ domain, style, fault, onStyle }: DomainStyleProps) {
  const { hostname } = domain;
  const { connection } = useConnection();
  const kept = styleOf(domain.qr_style);
  const update = useWrite('PATCH /domains/{domain}', { outdates: ['/domains'] });
  const mayWrite = useMay('links:write');
  const isKept = isSame(kept, style);
  const params = { domain: domain.id };
  /**
   * The list does not include tags, so the domain is read again. Throws if its style is no longer the one that is shown. Changes to other
   * members of the domain are kept.
   */
  const ifMatch = async () => {
    const now = await call(connection, 'GET /domains/{domain}', { params });
    if (!isSame(styleOf(now.qr_style), kept)) throw new ApiError(412, 'precondition_failed', '');
    return tagOf(now);
  };
  const save = async () => {
    try {
      await update.mutateAsync({ params, body: { qr_style: storedStyle(style) }, ifMatch });
      toast(text('QR codes of {hostname} look like this from now on.', { hostname }));
    } catch (error) {
      if ((error as ApiError).status !== 412) toast((error as ApiError).message, 'bad');
    }
  };
  return (
    <div className="qr-domain">
      <div role="alert">
        {update.error?.status === 412 && !isKept ? (
          <p className="notice notice-warn">
            {text('The style of {hostname} has been changed elsewhere. Save again to replace it with yours.', { hostname })}
          </p>
        ) : null}
      </div>
      {isKept ? (
        <p className="field-help">{text('QR codes of {hostname} look like this.', { hostname })}</p>
      ) : (
        <>
          <Button onClick={() => onStyle({ ...kept, logo: style.logo })}>{text('Use the style of {hostname}', { hostname })}</Button>
          {mayWrite ? (
            <Button busy={update.isPending} disabled={fault !== ''} onClick={() => void save()}>
              {text('Use it for all codes of {hostname}', { hostname })}
            </Button>
          ) : null}
        </>
      )}
    </div>
  );
}

function isSame(one: QrStyle, other: QrStyle): boolean {
  return JSON.stringify(storedStyle(one)) === JSON.stringify(storedStyle(other));
}

/** Downloads the code, after a test has read it. Returns the file that could not be read, for the user to decide. */
function useDownload(link: Link, style: QrStyle, pixels: number) {
  const { connection } = useConnection();
  const [saving, setSaving] = useState<QrFormat | null>(null);
  const [unread, setUnread] = useState<Unread | null>(null);
  const save = async (format: QrFormat) => {
    setSaving(format);
    setUnread(null);
    try {
      const drawn = (format: QrFormat) =>
        callForFile(connection, 'POST /links/{link}/qr', { params: { link: link.id }, body: qrBody(style, format, pixels) });
      const file = await drawn(format);
      // Browsers cannot draw PDF, so the SVG, which has the same code, is read.
      const read = await readQr(format === 'pdf' ? await drawn('svg') : file);
      const keep = () => download(file, `${link.path.replaceAll('/', '-')}.${format}`);
      if (read === link.url + SCANNED) keep();
      else setUnread({ keep });
    } catch (error) {
      toast((error as ApiError).reason, 'bad');
    } finally {
      setSaving(null);
    }
  };
  return { saving, unread, save, forget: () => setUnread(null) };
}

/** A file whose code could not be read in the test. */
interface Unread {
  readonly keep: () => void;
}

function UnreadNotice({ keep }: Unread) {
  return (
    <p className="notice notice-warn">
      <span>{text('A test could not read the code, so scanners may fail too. Try stronger colours or no logo.')}</span>
      <Button variant="link" onClick={keep}>
        {text('Save it anyway')}
      </Button>
    </p>
  );
}

/** How long a style must be unchanged before it is drawn, in milliseconds. A user who picks a colour drags over dozens of others. */
const SETTLED_MS = 250;

/** The code in its final form, drawn by the API, which also reports what is wrong with it. */
function usePreview(link: Link, style: QrStyle) {
  const { connection, environment } = useConnection();
  const settled = useAfterTyping(style, SETTLED_MS);
  return useQuery<Blob, ApiError>({
    queryKey: [environment, '/links/{link}/qr', link.id, link.url, settled],
    queryFn: ({ signal }) => {
      const body = qrBody(settled, 'svg', PREVIEW_PIXELS);
      return callForFile(connection, 'POST /links/{link}/qr', { params: { link: link.id }, body }, { signal });
    },
    placeholderData: keepPreviousData,
    retry: false,
    // A code with a logo can be 100 KB large, and there is one for every style.
    gcTime: 60_000,
  });
}

/** The problem with the fields, as a sentence; '' if something else failed. */
function faultOf({ fields }: ApiError): string {
  const [field] = fields;
  if (field === undefined) return '';
  const { pointer, detail } = field;
  if (languageOf(detail) !== undefined)
    return pointer === '/foreground' ? text('Scanners cannot read these colours.') : quotedAs(detail, sentenceOf(detail));
  if (pointer === '/foreground') return text('Scanners cannot read these colours: the foreground {detail}.', { detail });
  if (pointer === '/frame_text') return text('The line below the code {detail}.', { detail });
  return pointer === '/logo' ? text('The logo {detail}.', { detail }) : `${pointer} ${detail}.`;
}

interface PreviewProps {
  readonly link: Link;
  readonly preview: ReturnType<typeof usePreview>;
  readonly fault: string;
}

function Preview({ link, preview, fault }: PreviewProps) {
  const url = useObjectUrl(preview.data);
  if (preview.isError && fault === '') return <Failure error={preview.error} />;
  if (preview.isError) return <p className="qr-none">{text('There is no QR code to show.')}</p>;
  if (url === null) return <Loading />;
  return <img className="qr" src={url} alt={text('QR code that leads to {url}', { url: link.url })} />;
}

/** An object URL of the blob while it is shown. Never returns the URL of the previous blob, which is no longer valid. */
function useObjectUrl(blob: Blob | undefined): string | null {
  const [made, setMade] = useState<{ readonly blob: Blob; readonly url: string } | null>(null);
  // Runs before the browser paints, so that nothing flickers between two blobs.
  useLayoutEffect(() => {
    if (blob === undefined) return;
    const url = URL.createObjectURL(blob);
    setMade({ blob, url });
    return () => URL.revokeObjectURL(url);
  }, [blob]);
  return made !== null && made.blob === blob ? made.url : null;
}
