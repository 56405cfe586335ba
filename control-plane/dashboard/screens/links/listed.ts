/** Lists that stand in one text, with commas or line breaks between their items. */

/** Each item once. */
export function namesIn(text: string): readonly string[] {
  return [...new Set(text.split(/[,\n]/).map((name) => name.trim()))].filter((name) => name !== '');
}

/** Items such as `go.example.com/sale`, with or without a scheme. */
export function aliasesIn(text: string): readonly { readonly host: string; readonly path: string }[] {
  return namesIn(text).map((item) => {
    const [host = '', ...path] = item.replace(/^https?:\/\//, '').split('/');
    return { host, path: path.join('/') };
  });
}

export function aliasesText(aliases: readonly { readonly host: string; readonly path: string }[]): string {
  return aliases.map(({ host, path }) => `${host}/${path}`).join('\n');
}
