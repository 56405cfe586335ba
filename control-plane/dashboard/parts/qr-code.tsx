import { useEffect, useState } from 'react';

/** Light modules around the symbol (ISO/IEC 18004, 9.1): scanners look for it. */
const QUIET_MODULES = 4;

interface Symbol {
  readonly size: number;
  readonly path: string;
}

/** The QR code of a text, drawn here: with the correction of the API's own images, so that it has the same modules. */
export function QrCode({ text, label }: { readonly text: string; readonly label: string }) {
  const [symbol, setSymbol] = useState<Symbol | null>(null);
  useEffect(() => {
    let wanted = true;
    void drawn(text).then((next) => wanted && setSymbol(next));
    return () => {
      wanted = false;
    };
  }, [text]);
  if (symbol === null) return <div className="qr" />;
  return (
    <svg className="qr" role="img" aria-label={label} viewBox={`0 0 ${symbol.size} ${symbol.size}`} shapeRendering="crispEdges">
      <path d={symbol.path} fill="#000" />
    </svg>
  );
}

/** The library is a file of its own, loaded with the first code that is drawn. */
async function drawn(text: string): Promise<Symbol> {
  const { create } = await import('qrcode');
  const { size, data } = create(text, { errorCorrectionLevel: 'M' }).modules;
  let path = '';
  for (let row = 0; row < size; row++)
    for (let column = 0; column < size; column++)
      if (data[row * size + column]) path += `M${column + QUIET_MODULES} ${row + QUIET_MODULES}h1v1h-1z`;
  return { size: size + 2 * QUIET_MODULES, path };
}
