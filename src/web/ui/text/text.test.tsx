import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { Timecode } from './timecode.tsx';
import { UserText } from './user-text.tsx';

test('user text has its own direction and cannot become markup', () => {
  expect(renderToStaticMarkup(<UserText>{'مقابلة <b>1</b>'}</UserText>)).toMatch(
    /^<bdi dir="auto"[^>]*>مقابلة &lt;b&gt;1&lt;\/b&gt;<\/bdi>$/,
  );
});

test('a timecode is left to right, with its tenths in their own element', () => {
  const markup = renderToStaticMarkup(<Timecode ms={1_447_340} tenths />);
  expect(markup).toMatch(/^<span dir="ltr"/);
  expect(markup).toContain('<span data-tenths="">.3</span>');
  expect(markup.replace(/<[^>]+>/g, '')).toBe('24:07.3');
});
