import { i18n } from '@lingui/core';
import { I18nProvider } from '@lingui/react';
import type { ReactNode } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { Router } from 'wouter';
import { EarlyRows, EarlyTitle } from './early-samples.tsx';

const slotsOf = (sample: ReactNode): string[] => {
  i18n.loadAndActivate({ locale: 'en', messages: {} });
  const markup = renderToStaticMarkup(
    <I18nProvider i18n={i18n}>
      <Router ssrPath="/">{sample}</Router>
    </I18nProvider>,
  );
  return [...markup.matchAll(/data-(?:slot="(\w+)"|(time)=)/g)].map(([, slot, time]) => slot ?? time ?? '');
};

test('the sample of a row has one place for each thing that is filled in', () => {
  expect(slotsOf(<EarlyRows />).toSorted()).toEqual(['day', 'length', 'time', 'title']);
});

test('the sample of a title has a place for it', () => {
  expect(slotsOf(<EarlyTitle />)).toEqual(['title']);
});
