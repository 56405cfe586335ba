/** Text of a cell, in which code may stand between backquotes: nothing is taken for a border of the table, for HTML or for a link. */
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
