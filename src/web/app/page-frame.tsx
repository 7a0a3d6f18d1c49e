import { Suspense, type ReactNode } from 'react';
import { useLingui } from '@lingui/react/macro';
import { Spinner } from '#web/ui/feedback/spinner.tsx';
import { DocumentTitle } from '#web/ui/text/document-title.tsx';
import { PageMountedEffect } from './page-mounted.tsx';
import { ErrorBoundary } from './error-boundary.tsx';

export interface PageFrameProps {
  /** The document's title; null if the page sets its own. */
  title: string | null;
  children: ReactNode;
}

/**
 * The frame of every page: a title, a loading state with text, its own error boundary, and the focus when it has
 * mounted.
 */
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
