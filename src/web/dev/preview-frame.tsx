import type { ReactNode } from 'react';
import { i18n } from '@lingui/core';
import { I18nProvider } from '@lingui/react';
import { QueryClientProvider } from '@tanstack/react-query';
import { I18nProvider as AriaLocale } from 'react-aria-components/I18nProvider';
import { queryClient } from '#web/api/queries/query-client.ts';
import { Announcer } from '#web/ui/feedback/announcer.tsx';
import { ToastRegion } from '#web/ui/overlays/toast.tsx';
import { TooltipLayer } from '#web/ui/overlays/tooltip-layer.tsx';

/** The providers and regions that the app renders around its pages. */
export function PreviewFrame({ children }: { children: ReactNode }) {
  return (
    <I18nProvider i18n={i18n}>
      <QueryClientProvider client={queryClient}>
        <AriaLocale locale={i18n.locale}>
          {children}
          <ToastRegion />
          <TooltipLayer />
          <Announcer />
        </AriaLocale>
      </QueryClientProvider>
    </I18nProvider>
  );
}
