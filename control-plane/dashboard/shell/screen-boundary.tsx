import { Component, type ReactNode, useEffect, useRef } from 'react';
import { text } from '../language/text.js';
import { Button } from '../parts/button.js';
import { useOnline } from '../parts/online.js';
import { Empty } from '../parts/states.js';

/** Keeps the page working if a screen fails. The usual cause is that its file cannot be loaded, without a network or after an update. */
export class ScreenBoundary extends Component<{ readonly children: ReactNode }, { readonly failed: boolean }> {
  override state = { failed: false };

  static getDerivedStateFromError() {
    return { failed: true };
  }

  override componentDidCatch(error: unknown) {
    // Otherwise, nobody could find out why: Preact writes nothing to the browser's console.
    reportError(error);
  }

  override render() {
    return this.state.failed ? <BrokenScreen onRetry={() => this.setState({ failed: false })} /> : this.props.children;
  }
}

function BrokenScreen({ onRetry }: { readonly onRetry: () => void }) {
  const online = useOnline();
  const before = useRef(online);
  useEffect(() => {
    if (online && !before.current) onRetry();
    before.current = online;
  }, [online, onRetry]);
  return (
    <div className="page">
      <Empty
        icon="warning"
        title={text('This screen cannot be shown')}
        action={
          online ? (
            <div className="form-buttons">
              <Button onClick={() => location.reload()}>{text('Reload the page')}</Button>
              <Button onClick={onRetry}>{text('Try again')}</Button>
            </div>
          ) : null
        }
        alert
      >
        {online
          ? text('The service may have been updated since the page was loaded, or did not respond. Your entries in forms are kept.')
          : text('You are offline. The screen is loaded once the connection is back. Your entries in forms are kept.')}
      </Empty>
    </div>
  );
}
