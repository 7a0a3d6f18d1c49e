import type { ReactNode } from 'react';
import { useLingui } from '@lingui/react/macro';
import { Route, Switch, useLocation } from 'wouter';
import { userScope } from '#web/api/user-scope.ts';
import { useStore } from '#web/ui/hooks/use-store.ts';
import { PageFrame } from './page-frame.tsx';
import { RecorderPage } from './pages/recorder-page.tsx';
import { paths } from './paths.ts';
import { lazyPages } from './lazy.ts';

const {
  library: { Component: LibraryPage },
  player: { Component: PlayerPage },
  shared: { Component: SharedPage },
  trash: { Component: TrashPage },
  settings: { Component: SettingsPage },
  signIn: { Component: SignInPage },
  signUp: { Component: SignUpPage },
  resetPassword: { Component: ResetPasswordPage },
  undoEmail: { Component: UndoEmailPage },
  notFound: { Component: NotFoundPage },
} = lazyPages;

/** The page of each path. A page with a null title sets its own. */
export function Router() {
  const { t } = useLingui();
  const [location] = useLocation();
  // A page remounts for the next user.
  const generation = useStore(userScope.generation);
  const page = (title: string | null, children: ReactNode) => (
    <PageFrame key={`${generation} ${location}`} title={title}>
      {children}
    </PageFrame>
  );
  return (
    <Switch>
      <Route path={paths.record}>
        {/* A take continues for the user who started it. */}
        <PageFrame key={paths.record} title={t`Record`}>
          <RecorderPage />
        </PageFrame>
      </Route>
      <Route path={paths.library}>{page(t`Library`, <LibraryPage />)}</Route>
      <Route path={paths.recording}>
        {({ recordingId }) => page(null, <PlayerPage recordingId={recordingId} />)}
      </Route>
      <Route path={paths.shared}>{page(t`Shared`, <SharedPage />)}</Route>
      <Route path={paths.trash}>{page(t`Trash`, <TrashPage />)}</Route>
      <Route path="/settings/:section?">
        {({ section }) => (
          <PageFrame key={generation} title={t`Settings`}>
            <SettingsPage section={section} />
          </PageFrame>
        )}
      </Route>
      <Route path={paths.signIn}>{page(t`Sign in`, <SignInPage />)}</Route>
      <Route path={paths.signUp}>{page(t`Create account`, <SignUpPage />)}</Route>
      <Route path={paths.resetPassword}>{page(t`Set a new password`, <ResetPasswordPage />)}</Route>
      <Route path={paths.undoEmailChange}>{page(t`Restore your old address`, <UndoEmailPage />)}</Route>
      <Route>{page(t`Page not found`, <NotFoundPage />)}</Route>
    </Switch>
  );
}
