import { i18n } from '@lingui/core';
import { I18nProvider } from '@lingui/react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import type { Share } from '#contract/shares.ts';
import { openPolicy } from '#contract/sharing-policy.suite.ts';
import { shareFor } from '#web/features/sharing/terms/share.suite.ts';
import { LinkItem } from './link-item.tsx';

function markupOf(given: Partial<Share>): string {
  i18n.loadAndActivate({ locale: 'en', messages: {} });
  return renderToStaticMarkup(
    <I18nProvider i18n={i18n}>
      <LinkItem
        share={shareFor({ hasPassword: true, ...given })}
        policy={openPolicy}
        isGrowing={false}
        number={1}
        onOpen={() => undefined}
      />
    </I18nProvider>,
  );
}

test.each([
  ['says of a locked link that it needs a new password', { isPasswordLocked: true }, true],
  ['says nothing of a link that works', { isPasswordLocked: false }, false],
  ['says nothing of a revoked link', { isPasswordLocked: true, state: 'revoked' }, false],
] as const)('%s', (_name, given, isSaid) => {
  const markup = markupOf(given);
  expect(markup.includes('Set a new password')).toBe(isSaid);
  expect(markup.includes('data-tone="warn"')).toBe(isSaid);
});
