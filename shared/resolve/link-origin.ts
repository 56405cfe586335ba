/** How short URLs are shown: as visitors reach the link hosts, whatever port an engine behind a proxy listens on. */
export interface LinkUrlForm {
  readonly scheme: 'http' | 'https';
  /** 0 omits the port. */
  readonly port: number;
}

/** The start of every URL of the host. The usual port of the scheme is left out. */
export function originOf({ scheme, port }: LinkUrlForm, host: string): string {
  const usual = scheme === 'https' ? 443 : 80;
  return port === 0 || port === usual ? `${scheme}://${host}` : `${scheme}://${host}:${port}`;
}
