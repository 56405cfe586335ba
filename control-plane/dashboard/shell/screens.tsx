import { Component, lazy, type ReactNode, Suspense } from 'react';
import { Route, Switch, useLocation } from 'wouter';
import { Button } from '../parts/button.js';
import { Loading } from '../parts/states.js';
import { NotFound } from './not-found.js';

/** Every screen is a file of its own that is loaded when it is first seen. */
const LinkList = lazy(() => import('../screens/links/link-list.js').then(({ LinkList }) => ({ default: LinkList })));
const NewLink = lazy(() => import('../screens/links/new-link.js').then(({ NewLink }) => ({ default: NewLink })));
const LinkPage = lazy(() => import('../screens/links/link-page.js').then(({ LinkPage }) => ({ default: LinkPage })));
const EditLink = lazy(() => import('../screens/links/edit-link.js').then(({ EditLink }) => ({ default: EditLink })));

export function Screens() {
  const [location] = useLocation();
  return (
    <ScreenBoundary key={location}>
      <Suspense fallback={<Loading lines={6} />}>
        <Switch>
          <Route path="/" component={LinkList} />
          <Route path="/links" component={LinkList} />
          <Route path="/links/new" component={NewLink} />
          <Route path="/links/:id">{({ id }) => <LinkPage id={id} />}</Route>
          <Route path="/links/:id/edit">{({ id }) => <EditLink id={id} />}</Route>
          <Route component={NotFound} />
        </Switch>
      </Suspense>
    </ScreenBoundary>
  );
}

/** A screen that fails, because its file is gone after an update above all, does not take the page with it. */
class ScreenBoundary extends Component<{ readonly children: ReactNode }, { readonly failed: boolean }> {
  override state = { failed: false };

  static getDerivedStateFromError() {
    return { failed: true };
  }

  override render() {
    if (!this.state.failed) return this.props.children;
    return (
      <div className="empty" role="alert">
        <h2>This screen could not be shown</h2>
        <p>The service may have been updated since the page was loaded. What you had typed into forms is kept.</p>
        <Button variant="primary" onClick={() => location.reload()}>
          Load the page anew
        </Button>
      </div>
    );
  }
}
