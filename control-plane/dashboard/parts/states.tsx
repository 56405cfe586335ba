import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useLocation } from 'wouter';
import type { ApiError } from '../api/client.js';
import { languageOf } from '../language/quoted.js';
import { type Message, message, text, textOf } from '../language/text.js';
import { sectionOf } from './addresses.js';
import { Button, ButtonLink } from './button.js';
import { Icon, type IconName } from './icon.js';
import { Page } from './page.js';

/** Placeholders for data that is loading, missing or failed to load. */

export function Loading({ lines = 4 }: { readonly lines?: number }) {
  return (
    <div className="skeleton" role="status" aria-label={text('Loading')}>
      {Array.from({ length: lines }, (_, line) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the lines are all alike
        <div key={line} />
      ))}
    </div>
  );
}

const FAILED = message('The request failed');
const NOT_FOUND = message('Not found');
const TITLES: Partial<Record<ApiError['code'], Message>> = {
  unreachable: message('The server cannot be reached'),
  unauthorized: message('The key no longer works'),
  insufficient_scope: message('The key is not allowed to see this'),
  rate_limited: message('Too many requests'),
  service_unavailable: message('The service is not available'),
};

export function Failure({ error, onRetry }: { readonly error: ApiError; readonly onRetry?: () => void }) {
  if (error.code === 'not_found') return <Missing error={error} />;
  return (
    <Empty
      icon="warning"
      title={textOf(TITLES[error.code] ?? FAILED)}
      action={onRetry === undefined ? null : <Button onClick={onRetry}>{text('Try again')}</Button>}
      alert
    >
      <p lang={languageOf(error.message)}>{error.message}</p>
      {error.fields.map(({ pointer, detail }) => (
        <p key={pointer} lang={languageOf(detail)}>
          <code>{pointer}</code> {detail}
        </p>
      ))}
    </Empty>
  );
}

/** Takes the place of a whole screen. The title is the name of the list that leads to it. */
export function FailedScreen({ title, ...failure }: { readonly title: string } & Parameters<typeof Failure>[0]) {
  return (
    <Page title={title}>
      <Failure {...failure} />
    </Page>
  );
}

/** For an object that was not found. It offers the way back to the list, because a retry would not help. */
function Missing({ error }: { readonly error: ApiError }) {
  const [location] = useLocation();
  return (
    <Empty
      icon="search"
      title={textOf(NOT_FOUND)}
      action={<ButtonLink to={sectionOf(location)}>{text('Back to the list')}</ButtonLink>}
      alert
    >
      {`${error.message} ${text('It may have been deleted, or may belong to the other environment.')}`}
    </Empty>
  );
}

interface AnsweredProps<Data> {
  readonly read: UseQueryResult<Data, ApiError>;
  /** Number of lines of the placeholder. */
  readonly lines: number;
  readonly children: (data: Data) => ReactNode;
}

/** Shows the data once it has been read; until then, a placeholder or the failure. */
export function Answered<Data>({ read: { data, error, refetch }, lines, children }: AnsweredProps<Data>) {
  if (data !== undefined) return children(data);
  return error === null ? <Loading lines={lines} /> : <Failure error={error} onRetry={() => void refetch()} />;
}

interface EmptyProps {
  readonly icon: IconName;
  readonly title: string;
  readonly children: ReactNode;
  readonly action?: ReactNode;
  /** Whether a screen reader says it as soon as it appears. */
  readonly alert?: boolean;
}

/**
 * Takes the place of an empty list, or of what is missing or failed, and says what to do next. Its button is never the primary one, which
 * is in the head of the screen.
 */
export function Empty({ icon, title, children, action, alert = false }: EmptyProps) {
  return (
    <div className="empty" role={alert ? 'alert' : undefined}>
      <div className="empty-icon">
        <Icon name={icon} />
      </div>
      <h2>{title}</h2>
      <div className="empty-text">{children}</div>
      {action}
    </div>
  );
}

/** Takes the place of what is shown for a period that the user has chosen the wrong way round. */
export function Reversed() {
  return (
    <Empty icon="warning" title={text('The period ends before it begins')} alert>
      {text('Change its beginning or its end.')}
    </Empty>
  );
}
