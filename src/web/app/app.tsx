import { Suspense } from 'react';
import { i18n } from '@lingui/core';
import { I18nProvider, useLingui } from '@lingui/react';
import { QueryClientContext } from '@tanstack/react-query';
import { I18nProvider as AriaLocale } from 'react-aria-components/I18nProvider';
import { useLocation } from 'wouter';
import { knownQueryClient } from '#web/api/queries/known-query-client.ts';
import { useStore } from '#web/ui/hooks/use-store.ts';
import { ErrorBoundary } from './error-boundary.tsx';
import { Layout } from './layout/layout.tsx';
import { Overlays } from './overlays.tsx';
import { paths } from './paths.ts';
import { lazyChunks } from './lazy.ts';
import { Router } from './router.tsx';

const TakeBar = lazyChunks.takeBar.component((chunk) => chunk.TakeBar);

/** The page without its layout, which failed. A running take can still be stopped. */
function BarePage() {
  return (
    <main id="main" tabIndex={-1}>
      <Router />
    </main>
  );
}

function Screen() {
  const [location] = useLocation();
  const {
    i18n: { locale },
  } = useLingui();
  return (
    <AriaLocale locale={locale}>
      <ErrorBoundary fallback={<BarePage />}>
        <Layout>
          <Router />
        </Layout>
      </ErrorBoundary>
      {location !== paths.record && (
        <ErrorBoundary fallback={null}>
          <Suspense>
            <TakeBar />
          </Suspense>
        </ErrorBoundary>
      )}
      <ErrorBoundary fallback={null}>
        <Overlays />
      </ErrorBoundary>
    </AriaLocale>
  );
}

export function App() {
  return (
    <I18nProvider i18n={i18n}>
      <QueryClientContext value={useStore(knownQueryClient) ?? undefined}>
        <Screen />
      </QueryClientContext>
    </I18nProvider>
  );
}
