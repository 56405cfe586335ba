/** The text of a cell, in which code may be between backquotes. Nothing in it is read as a border of the table, as HTML or as a link. */
export function cell(text: string): string {
  const parts = text.replaceAll('|', '\\|').replaceAll(/\s+/g, ' ').split('`');
  return parts.map((part, index) => (index % 2 === 1 ? part : plain(part))).join('`');
}

function plain(text: string): string {
  return text.replaceAll('<', '&lt;').replaceAll(/\bhttps?:\/\/[^\s,;)]+/g, (url) => code(url));
}

export function code(text: string): string {
  return `\`${text.replaceAll('|', '\\|')}\``;
}

export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}
