import type { Platform } from '../../shared/resolve/recognise-visitor.js';

/** One browser of each platform. A visit names its platform by the index in this list. */
export const VISITOR_PLATFORMS = ['ios', 'android', 'desktop'] as const satisfies readonly Platform[];

const USER_AGENTS: Readonly<Record<(typeof VISITOR_PLATFORMS)[number], string>> = {
  ios: 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Mobile/15E148 Safari/604.1',
  android: 'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Mobile Safari/537.36',
  desktop: 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36',
};

/** Hosts of the pages that lead to links. */
export const REFERRER_HOSTS: readonly string[] = Array.from({ length: 300 }, (_, n) => `news${n}.example`);

/** The groups under which a visit is counted: indexes in the lists of links, referrers and platforms. */
export interface VisitGroups {
  readonly link: number;
  readonly referrer: number;
  readonly platform: number;
}

export interface DrawnVisit extends VisitGroups {
  /** IPv4, a different one for each visit. */
  readonly address: string;
}

/** First bytes of networks that are private, reserved or multicast. */
const isSpecial = (firstByte: number): boolean => [0, 10, 100, 127, 169, 172, 192, 198, 203].includes(firstByte) || firstByte >= 224;

/**
 * Draws whole numbers below a bound with a linear congruential generator (Numerical Recipes), because drawing must cost
 * less than what is measured.
 */
export function createDraw(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 0x1_0000_0000) * below);
  };
}

/** Draws visits at random. Addresses walk through the whole of IPv4 with an odd step, so that none comes twice. */
export function createVisitDraw(links: number): () => DrawnVisit {
  let address = Math.floor(Math.random() * 0x1_0000_0000);
  const draw = createDraw(Math.floor(Math.random() * 0x1_0000_0000));
  const nextAddress = (): string => {
    do address = (address + 2_654_435_769) >>> 0;
    while (isSpecial(address >>> 24));
    return `${address >>> 24}.${(address >>> 16) & 255}.${(address >>> 8) & 255}.${address & 255}`;
  };
  return () => ({
    link: draw(links),
    referrer: draw(REFERRER_HOSTS.length),
    platform: draw(VISITOR_PLATFORMS.length),
    address: nextAddress(),
  });
}

/** The request of a visit, as bytes that a proxy in front would send on. */
export function createRequestText(host: string, paths: readonly string[]): (visit: DrawnVisit) => string {
  const heads = VISITOR_PLATFORMS.map((platform) =>
    [
      ` HTTP/1.1\r\nHost: ${host}`,
      `User-Agent: ${USER_AGENTS[platform]}`,
      'Accept: text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8',
      'Accept-Language: en-GB,en;q=0.9',
      'Accept-Encoding: gzip, deflate, br',
      'X-Forwarded-For: ',
    ].join('\r\n'),
  );
  const ends = REFERRER_HOSTS.map((referrer) => `\r\nReferer: https://${referrer}/\r\n\r\n`);
  return ({ link, referrer, platform, address }) => `GET /${paths[link]}${heads[platform]}${address}${ends[referrer]}`;
}
