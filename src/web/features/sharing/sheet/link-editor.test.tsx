import { i18n } from '@lingui/core';
import { openPolicy } from '#contract/sharing-policy.suite.ts';
import { I18nProvider } from '@lingui/react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { shareFor } from '#web/features/sharing/terms/share.suite.ts';
import { LinkEditor } from './link-editor.tsx';

const nothing = () => undefined;

test.each([
  ['offers to open a held link of a finished recording', false, true],
  ['does not offer it while the recording is being made', true, false],
  ['does not offer it while that is not known', null, false],
])('%s', (_name, isGrowing, isOffered) => {
  i18n.loadAndActivate({ locale: 'en', messages: {} });
  const share = shareFor({ live: { delayMs: 0, isHeldAfterStop: true } });
  const { recordingId, recordingTitle: title } = share;
  const markup = renderToStaticMarkup(
    <I18nProvider i18n={i18n}>
      <LinkEditor
        share={share}
        policy={openPolicy}
        target={{ recordingId, title, durationMs: null, isGrowing, span: null }}
        password={null}
        number={1}
        onBack={nothing}
      />
    </I18nProvider>,
  );
  expect(markup.includes('Open the link now')).toBe(isOffered);
});
