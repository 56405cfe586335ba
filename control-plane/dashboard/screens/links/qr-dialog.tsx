import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { Link } from '../../../../shared/contract/schemas/link.js';
import { type ApiError, callForFile } from '../../api/client.js';
import { download } from '../../format/download.js';
import { Button } from '../../parts/button.js';
import { Dialog } from '../../parts/dialog.js';
import { Failure, Loading } from '../../parts/states.js';
import { toast } from '../../parts/toasts.js';
import { useConnection } from '../../session/signed-in.js';

/** Pixels of a PNG for print at business-card size; SVG has every size. */
const PNG_PIXELS = 1024;

export function QrDialog({ link, onClose }: { readonly link: Link; readonly onClose: () => void }) {
  const { connection, environment } = useConnection();
  const endpoint = 'GET /links/{link}/qr';
  const params = { link: link.id };
  const image = useQuery<Blob, ApiError>({
    queryKey: [environment, '/links/{link}/qr', link.id, link.url],
    queryFn: () => callForFile(connection, endpoint, { params, query: { format: 'svg' } }),
  });
  const url = useObjectUrl(image.data);
  const save = async (format: 'svg' | 'png') => {
    try {
      const query = format === 'png' ? { format, size: PNG_PIXELS } : { format };
      download(await callForFile(connection, endpoint, { params, query }), `${link.path}.${format}`);
    } catch (error) {
      toast((error as ApiError).message, 'bad');
    }
  };
  return (
    <Dialog title={`QR code of ${link.path}`} onClose={onClose}>
      {image.isError ? (
        <Failure error={image.error} />
      ) : url === null ? (
        <Loading />
      ) : (
        <img className="qr" src={url} alt={`QR code that leads to ${link.url}`} />
      )}
      <div className="form-buttons">
        <Button variant="primary" onClick={() => void save('svg')}>
          Download SVG
        </Button>
        <Button onClick={() => void save('png')}>Download PNG</Button>
      </div>
    </Dialog>
  );
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
