import { useEffect, useRef, useState } from 'react';
import { type Click, followClicks } from '../../api/click-stream.js';
import type { ApiError } from '../../api/client.js';
import { countryName } from '../../format/countries.js';
import { timeWithSeconds } from '../../format/times.js';
import { counted, type Message, message, text, textOf } from '../../language/text.js';
import { Button } from '../../parts/button.js';
import { Card, Note } from '../../parts/page.js';
import { TableFrame } from '../../parts/scrolling.js';
import { Failure } from '../../parts/states.js';
import { useConnection, useSignedIn } from '../../session/signed-in.js';
import type { Asked } from './asked.js';
import { letsThrough } from './clicks-let-through.js';

/** Rows to show. Older ones are dropped. */
const ROWS_MAX = 50;

/** How often clicks are shown, and announced to screen readers. A busy environment has hundreds of clicks per second. */
const SHOW_MS = 1_000;

type State = 'off' | 'connecting' | 'open';

interface Feed {
  readonly state: State;
  readonly clicks: readonly Click[];
  /** The number of clicks in the last update that had any. */
  readonly came: number;
  readonly error: ApiError | null;
}

const NOTHING: Feed = { state: 'off', clicks: [], came: 0, error: null };

/** Follows the clicks while `isFollowing`. Calls `onRefused` when the API refuses to send them any longer. */
function useFeed(isFollowing: boolean, filters: Asked['filters'], onRefused: () => void): Feed {
  const { connection } = useConnection();
  const [feed, setFeed] = useState(NOTHING);
  const waiting = useRef<Click[]>([]);
  const latest = useRef({ filters, onRefused });
  latest.current = { filters, onRefused };
  useEffect(() => {
    if (!isFollowing) {
      setFeed((before) => ({ ...before, state: 'off' }));
      return;
    }
    const stop = new AbortController();
    const change = (part: Partial<Feed>) => setFeed((before) => ({ ...before, ...part }));
    change({ state: 'connecting', error: null });
    void followClicks(
      connection,
      {
        onClick: (click) => {
          waiting.current.push(click);
        },
        onOpen: (isOpen) => change({ state: isOpen ? 'open' : 'connecting' }),
        onRefused: (error) => {
          change({ error });
          latest.current.onRefused();
        },
      },
      stop.signal,
    );
    const timer = setInterval(() => {
      const newest = waiting.current.filter((click) => letsThrough(latest.current.filters, click)).reverse();
      waiting.current = [];
      if (newest.length > 0) setFeed((before) => ({ ...before, came: newest.length, clicks: withNewest(newest, before.clicks) }));
    }, SHOW_MS);
    return () => {
      clearInterval(timer);
      stop.abort();
    };
  }, [isFollowing, connection]);
  return feed;
}

/** Puts the newest clicks first and removes duplicates, because the API may send a click twice after an interruption. */
function withNewest(newest: readonly Click[], before: readonly Click[]): readonly Click[] {
  return [...new Map([...newest, ...before].map((click) => [click.id, click])).values()].slice(0, ROWS_MAX);
}

const WORDS: Readonly<Record<State, Message>> = { off: message('Paused'), connecting: message('Connecting…'), open: message('Live') };

/** Clicks as they are stored, while the user follows them. */
export function LiveFeed({ filters }: Pick<Asked, 'filters'>) {
  const [isFollowing, follow] = useState(false);
  const { state, clicks: kept, came, error } = useFeed(isFollowing, filters, () => follow(false));
  const clicks = kept.filter((click) => letsThrough(filters, click));
  const isFiltered = Object.keys(filters).some((name) => name !== 'tag');
  return (
    <Card
      title={text('Live')}
      actions={
        <>
          <span className="muted">{textOf(WORDS[state])}</span>
          <Button needs="analytics:read" onClick={() => follow(!isFollowing)}>
            {isFollowing ? text('Pause') : clicks.length > 0 ? text('Resume') : text('Follow clicks')}
          </Button>
        </>
      }
    >
      <p className="visually-hidden" role="status">
        {state === 'open' && came > 0 ? counted(came, '{count} new click', '{count} new clicks') : ''}
      </p>
      {error !== null ? (
        <Failure error={error} />
      ) : clicks.length > 0 ? (
        <Clicks clicks={clicks} />
      ) : (
        <p className="muted">
          {isFollowing
            ? isFiltered
              ? text('The next click that matches the filters appears here.')
              : text('The next click of the environment appears here.')
            : text('Shows the clicks of the environment as they arrive.')}
        </p>
      )}
      {filters.tag === undefined ? null : <Note>{text('The filter by tag does not apply here.')}</Note>}
    </Card>
  );
}

function Clicks({ clicks }: { readonly clicks: readonly Click[] }) {
  const { timeZone } = useSignedIn();
  return (
    <TableFrame label={text('Incoming clicks')}>
      <thead>
        <tr>
          <th scope="col">{text('Time')}</th>
          <th scope="col">{text('Address')}</th>
          <th scope="col">{text('Visitor')}</th>
          <th scope="col">{text('Country')}</th>
          <th scope="col">{text('Referrer')}</th>
        </tr>
      </thead>
      <tbody>
        {clicks.map(({ id, occurred_at, path, bot, os, platform, browser, country, referrer_host }) => (
          <tr key={id}>
            <td className="number">{timeWithSeconds(occurred_at, timeZone)}</td>
            <td>/{path}</td>
            <td>{bot ? text('Bot') : [os ?? platform, browser].filter((word) => word !== null).join(', ')}</td>
            <td>{country === null ? text('Unknown') : countryName(country)}</td>
            <td>{referrer_host ?? text('Direct or unknown')}</td>
          </tr>
        ))}
      </tbody>
    </TableFrame>
  );
}
