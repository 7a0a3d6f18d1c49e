import { i18n } from '@lingui/core';
import { I18nProvider } from '@lingui/react';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { Router } from 'wouter';
import { sessionState, type SessionState } from '#web/api/session-state.ts';
import { SharedLink } from './shared-link.tsx';

i18n.loadAndActivate({ locale: 'en', messages: {} });

test.each([
  ['signed-in', true],
  ['signed-out', false],
] as const)('a user who is %s is offered the links that they gave: %s', (status, isOffered) => {
  sessionState.set({ ...sessionState.getSnapshot(), status } as SessionState);
  const drawn = renderToStaticMarkup(
    <I18nProvider i18n={i18n}>
      <QueryClientProvider client={new QueryClient()}>
        <Router ssrPath="/library">
          <SharedLink />
        </Router>
      </QueryClientProvider>
    </I18nProvider>,
  );
  expect(drawn.includes('href="/shared"')).toBe(isOffered);
});
