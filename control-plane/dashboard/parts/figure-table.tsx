import type { ReactNode } from 'react';
import { TableFrame } from './scrolling.js';

interface FigureTableProps {
  readonly label: string;
  readonly head: readonly string[];
  /** The first cell of a row is its name. The others are figures. */
  readonly rows: readonly (readonly ReactNode[])[];
}

export function FigureTable({ label, head, rows }: FigureTableProps) {
  return (
    <TableFrame label={label}>
      <thead>
        <tr>
          {head.map((name, place) => (
            <th key={name} scope="col" className={place === 0 ? undefined : 'number'}>
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((cells, row) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: rows hold no state
          <tr key={row}>
            <th scope="row">{cells[0]}</th>
            {cells.slice(1).map((cell, place) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: cells are told apart by their place alone
              <td key={place} className="number">
                {cell}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </TableFrame>
  );
}
