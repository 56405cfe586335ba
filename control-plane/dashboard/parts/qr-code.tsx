import { useEffect, useState } from 'react';

/** The look of a code, as set in the QR studio. */
export interface CodeLook {
  readonly foreground: string;
  readonly background: string;
  readonly dots: 'square' | 'rounded' | 'dots';
  /** Width of the light margin around the symbol, in modules. Scanners look for it. */
  readonly margin: number;
  readonly errorCorrection: 'L' | 'M' | 'Q' | 'H';
  readonly frameText: string;
}

interface Symbol {
  readonly modules: number;
  readonly path: string;
}

/**
 * The band with the text of a frame, as the API draws it: its height and the greatest width of the text, as shares of the code's width, and
 * the height of the letters, as a share of the band's height.
 */
const BAND = 0.2;
const LINE_WIDTH_MAX = 0.88;
const LETTER_HEIGHT = 0.58;
/** Average width of a sans-serif letter, as a share of its height. */
const LETTER_WIDTH = 0.58;

/** The QR code of a text, drawn in the browser with the modules and the look of the API's own images. */
export function QrCode({ text, label, look }: { readonly text: string; readonly label: string; readonly look: CodeLook }) {
  const { foreground, background, dots, margin, errorCorrection, frameText } = look;
  const [symbol, setSymbol] = useState<Symbol | null>(null);
  useEffect(() => {
    let wanted = true;
    void drawn(text, errorCorrection, dots).then((next) => wanted && setSymbol(next));
    return () => {
      wanted = false;
    };
  }, [text, errorCorrection, dots]);
  if (symbol === null) return <div className="qr" />;
  const border = frameText === '' ? 0 : 1;
  const width = symbol.modules + 2 * (margin + border);
  const band = frameText === '' ? 0 : Math.round(width * BAND);
  const height = width - border + band;
  const letters = Math.min(band * LETTER_HEIGHT, (width * LINE_WIDTH_MAX) / (frameText.length * LETTER_WIDTH));
  return (
    <svg className="qr" role="img" aria-label={label} viewBox={`0 0 ${width} ${height}`}>
      <path d={`M0 0h${width}v${height}H0z`} fill={frameText === '' ? background : foreground} />
      {frameText === '' ? null : (
        <>
          <path d={`M1 1h${width - 2}v${height - band - 1}H1z`} fill={background} />
          <text
            x={width / 2}
            y={height - band / 2}
            fontSize={letters}
            fill={background}
            textAnchor="middle"
            dominantBaseline="central"
            fontFamily="sans-serif"
          >
            {frameText}
          </text>
        </>
      )}
      <path
        d={symbol.path}
        fill={foreground}
        transform={`translate(${margin + border} ${margin + border})`}
        shapeRendering={dots === 'square' ? 'crispEdges' : undefined}
      />
    </svg>
  );
}

const CIRCLE = 'm0 .5a.5.5 0 1 1 1 0a.5.5 0 1 1-1 0z';

/** The library is a separate file, which is loaded with the first code. */
async function drawn(text: string, errorCorrectionLevel: CodeLook['errorCorrection'], dots: CodeLook['dots']): Promise<Symbol> {
  const { create } = await import('qrcode');
  const grid = create(text, { errorCorrectionLevel }).modules;
  const { size } = grid;
  const isDark = (row: number, column: number) => row >= 0 && column >= 0 && row < size && column < size && grid.get(row, column) !== 0;
  /** A circle, with half of the module filled towards each dark neighbour. A corner is round if neither of its neighbours is dark. */
  const joined = (row: number, column: number) =>
    [
      CIRCLE,
      isDark(row - 1, column) ? 'h1v.5h-1z' : '',
      isDark(row + 1, column) ? 'm0 .5h1v.5h-1z' : '',
      isDark(row, column - 1) ? 'h.5v1h-.5z' : '',
      isDark(row, column + 1) ? 'm.5 0h.5v1h-.5z' : '',
    ]
      .filter(Boolean)
      .map((part) => `M${column} ${row}${part}`)
      .join('');
  const shapeOf = {
    square: (row: number, column: number) => `M${column} ${row}h1v1h-1z`,
    rounded: joined,
    // Scanners find the patterns at fixed positions by their unbroken bars, so these are not drawn as separate dots.
    dots: (row: number, column: number) => (grid.isReserved(row, column) ? joined(row, column) : `M${column} ${row}${CIRCLE}`),
  }[dots];
  let path = '';
  for (let row = 0; row < size; row++) for (let column = 0; column < size; column++) if (isDark(row, column)) path += shapeOf(row, column);
  return { modules: size, path };
}
