import { expect, test } from 'vitest';
import { embedCode } from './embed-code.ts';

const linkUrl = 'https://earshot.example/s/9A8B7C6D5E4F3G2H1J9A8B';

test('shows the player of the same link, without the rights that it does not need', () => {
  const { html, width, height } = embedCode(linkUrl);
  expect(html).toContain(
    '<iframe src="https://earshot.example/embed/9A8B7C6D5E4F3G2H1J9A8B" title="Earshot"',
  );
  expect(html).toContain(`width="${width}" height="${height}"`);
  expect(html).toContain(
    'referrerpolicy="no-referrer" sandbox="allow-scripts allow-same-origin allow-popups"',
  );
});

test('fits into the size that the page around it has', () => {
  expect(embedCode(linkUrl, { maxWidth: 320, maxHeight: 200 })).toMatchObject({ width: 320, height: 200 });
  expect(embedCode(linkUrl, { maxWidth: 1 }).width).toBe(240);
  expect(embedCode(linkUrl, { maxWidth: 320 }).height).toBeGreaterThan(embedCode(linkUrl).height);
});

test('escapes the title', () => {
  expect(embedCode(linkUrl, { title: 'A "title" <b>' }).html).toContain(
    'title="A &quot;title&quot; &lt;b&gt; · Earshot"',
  );
});
