import { Suspense, type ReactNode } from 'react';
import { useLingui } from '@lingui/react/macro';
import { Spinner } from '#web/ui/feedback/spinner.tsx';
import { DocumentTitle } from '#web/ui/text/document-title.tsx';
import { PageMountedEffect } from './page-mounted.tsx';
import { ErrorBoundary } from './error-boundary.tsx';

export interface PageFrameProps {
  /** Of the document; null where the page gives its own. */
  title: string | null;
  children: ReactNode;
}

/** What every page has: a title, a wait with words, its own error boundary, and the focus when it arrives. */
export function PageFrame({ title, children }: PageFrameProps) {
  const { t } = useLingui();
  return (
    <ErrorBoundary>
      {title !== null && <DocumentTitle>{title}</DocumentTitle>}
      <Suspense fallback={<Spinner label={t`Opening…`} />}>
        {children}
        <PageMountedEffect />
      </Suspense>
    </ErrorBoundary>
  );
}
