import { i18n } from '@lingui/core';
import { I18nProvider } from '@lingui/react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { Router } from 'wouter';
import type { SearchHit } from '#contract/recordings.ts';
import { HitLine } from './hit-line.tsx';

const markupOf = (hit: SearchHit): string => {
  i18n.loadAndActivate({ locale: 'en', messages: {} });
  return renderToStaticMarkup(
    <I18nProvider i18n={i18n}>
      <Router ssrPath="/">
        <HitLine recordingId="a" hit={hit} tabIndex={0} />
      </Router>
    </I18nProvider>,
  );
};

test('links a marker or note to its moment, with the match highlighted as text', () => {
  const markup = markupOf({
    kind: 'marker',
    text: 'the <b>question</b> of',
    ranges: [
      [4, 7],
      [7, 15],
    ],
    atMs: 723_460,
    more: 3,
  });
  expect(markup).toContain('href="/recordings/a#t=723.4"');
  expect(markup.replaceAll(/ class="[^"]*"/g, '')).toContain(
    'the <mark>&lt;b&gt;</mark><mark>question</mark>&lt;/b&gt; of',
  );
  expect(markupOf({ kind: 'note', text: 'wool', ranges: [[0, 4]], atMs: 0, more: 0 })).toContain(
    'href="/recordings/a#t=0"',
  );
});

test('renders any other match without a link', () => {
  for (const kind of ['person', 'tag', 'file-name'] as const)
    expect(markupOf({ kind, text: 'wool', ranges: [[0, 4]], atMs: null, more: 0 })).not.toContain('href');
});
