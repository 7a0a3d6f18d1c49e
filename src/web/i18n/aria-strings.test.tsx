import { I18nProvider, SearchField, Button, Input } from 'react-aria-components';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test, vi } from 'vitest';
import { loadAriaStrings } from './aria-strings.ts';

/** The locale stays English, so the name can come only from the current dictionary. */
const clearButtonName = () => {
  const markup = renderToStaticMarkup(
    <I18nProvider locale="en">
      <SearchField aria-label="x">
        <Input />
        <Button>×</Button>
      </SearchField>
    </I18nProvider>,
  );
  return /<button[^>]*aria-label="([^"]*)"/.exec(markup)?.[1];
};

test('switches the language of React Aria, also back to the first one', async () => {
  vi.stubGlobal('window', globalThis);
  const spoken: (string | undefined)[] = [];
  for (const tag of ['en', 'de', 'ar', 'en'] as const) {
    const makeCurrent = await loadAriaStrings(tag);
    makeCurrent();
    spoken.push(clearButtonName());
  }
  expect(spoken).toEqual(['Clear search', 'Suche zurücksetzen', 'مسح البحث', 'Clear search']);
});
