import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { QR_PIXELS_MAX, QR_PIXELS_MIN } from '../../../../shared/base/limits.js';
import type { Link } from '../../../../shared/contract/schemas/link.js';
import type { QrFormat } from '../../../../shared/contract/schemas/link-qr.js';
import { type ApiError, callForFile } from '../../api/client.js';
import { download } from '../../format/download.js';
import { Button } from '../../parts/button.js';
import { Dialog } from '../../parts/dialog.js';
import { Failure, Loading } from '../../parts/states.js';
import { toast } from '../../parts/toasts.js';
import { useConnection } from '../../session/signed-in.js';
import { useStickyState } from '../../session/sticky-state.js';
import { QrFields } from './qr-fields.js';
import { colorFault, PLAIN, type QrStyle, qrBody } from './qr-style.js';

/** Pixels of a download for print at business-card size; SVG and PDF have every size. */
const PIXELS_DEFAULT = 1024;
const PREVIEW_PIXELS = 512;

const FORMATS: readonly { readonly format: QrFormat; readonly label: string }[] = [
  { format: 'svg', label: 'Download SVG' },
  { format: 'png', label: 'Download PNG' },
  { format: 'pdf', label: 'Download PDF' },
];

/** Makes a QR code that looks as its owner wants it. The style is kept for the next link, until the page is closed. */
export function QrDialog({ link, onClose }: { readonly link: Link; readonly onClose: () => void }) {
  const { connection } = useConnection();
  const [style, setStyle] = useStickyState<QrStyle>('qr style', PLAIN);
  const [pixels, setPixels] = useStickyState('qr pixels', PIXELS_DEFAULT);
  const [saving, setSaving] = useState<QrFormat | null>(null);
  const fault = colorFault(style);
  const isSize = Number.isInteger(pixels) && pixels >= QR_PIXELS_MIN && pixels <= QR_PIXELS_MAX;
  const save = async (format: QrFormat) => {
    setSaving(format);
    try {
      const file = await callForFile(connection, 'POST /links/{link}/qr', {
        params: { link: link.id },
        body: qrBody(style, format, pixels),
      });
      download(file, `${link.path.replaceAll('/', '-')}.${format}`);
    } catch (error) {
      toast((error as ApiError).fields[0]?.detail ?? (error as ApiError).message, 'bad');
    } finally {
      setSaving(null);
    }
  };
  return (
    <Dialog title={`QR code of ${link.path}`} onClose={onClose} wide>
      <div className="qr-studio">
        <div className="qr-preview">
          <Preview link={link} style={style} fault={fault} />
          <p className="field-help">{link.url}</p>
        </div>
        <QrFields style={style} fault={fault} pixels={pixels} onStyle={setStyle} onPixels={setPixels} />
      </div>
      <div className="form-buttons">
        {FORMATS.map(({ format, label }) => (
          <Button
            key={format}
            variant={format === 'svg' ? 'primary' : 'default'}
            busy={saving === format}
            disabled={fault !== null || !isSize}
            onClick={() => void save(format)}
          >
            {label}
          </Button>
        ))}
      </div>
    </Dialog>
  );
}

/** What the fields are called that only the API can judge. */
const FIELD_LABELS: Readonly<Record<string, string>> = { '/frame_text': 'The line below the code', '/logo': 'The logo' };

function Preview({ link, style, fault }: { readonly link: Link; readonly style: QrStyle; readonly fault: string | null }) {
  const { connection, environment } = useConnection();
  const settled = useSettled(style);
  const image = useQuery<Blob, ApiError>({
    queryKey: [environment, '/links/{link}/qr', link.id, link.url, settled],
    queryFn: ({ signal }) => {
      const body = qrBody(settled, 'svg', PREVIEW_PIXELS);
      return callForFile(connection, 'POST /links/{link}/qr', { params: { link: link.id }, body }, { signal });
    },
    enabled: colorFault(settled) === null,
    placeholderData: keepPreviousData,
    retry: false,
    // A code with a logo can have 100 KB, and every style is another one.
    gcTime: 60_000,
  });
  const url = useObjectUrl(image.data);
  if (image.isError && image.error.fields.length === 0) return <Failure error={image.error} />;
  if (image.isError)
    return (
      <p className="notice notice-danger" role="alert">
        {FIELD_LABELS[image.error.fields[0]?.pointer ?? ''] ?? 'A field'} {image.error.fields[0]?.detail}.
      </p>
    );
  if (url === null) return fault === null ? <Loading /> : null;
  return <img className={fault === null ? 'qr' : 'qr qr-stale'} src={url} alt={`QR code that leads to ${link.url}`} />;
}

/** Milliseconds without a change after which a style is drawn: a colour is dragged over dozens of others. */
const SETTLED_MS = 250;

function useSettled<Value>(value: Value): Value {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), SETTLED_MS);
    return () => clearTimeout(timer);
  }, [value]);
  return settled;
}

function useObjectUrl(blob: Blob | undefined): string | null {
  const [url, setUrl] = useState<string | null>(null);
  useEffect(() => {
    if (blob === undefined) return;
    const made = URL.createObjectURL(blob);
    setUrl(made);
    return () => URL.revokeObjectURL(made);
  }, [blob]);
  return url;
}
