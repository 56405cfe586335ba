/** How short URLs are shown: as visitors reach the link hosts, whatever port an engine listens on behind a proxy. */
export interface LinkUrlForm {
  readonly scheme: 'http' | 'https';
  /** 0 leaves it out. */
  readonly port: number;
}

/** What every URL of the host begins with. The usual port of the scheme is left out. */
export function originOf({ scheme, port }: LinkUrlForm, host: string): string {
  const usual = scheme === 'https' ? 443 : 80;
  return port === 0 || port === usual ? `${scheme}://${host}` : `${scheme}://${host}:${port}`;
}
