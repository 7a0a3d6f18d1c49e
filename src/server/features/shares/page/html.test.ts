import fc from 'fast-check';
import { expect, test } from 'vitest';
import { markup, trustedHtml, withHtml } from './html.ts';

test('escapes every inserted text, in elements and in attributes', () => {
  const text = `<script>alert("1")</script> & 'x'`;
  expect(markup`<p title="${text}">${text}</p>`.text).toBe(
    '<p title="&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt; &amp; &#39;x&#39;">&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt; &amp; &#39;x&#39;</p>',
  );
});

test('inserts HTML as it is, and nothing for null and false', () => {
  expect(markup`${markup`<b>${'<'}</b>`}${null}${false}${[markup`1`, markup`2`]}${3}`.text).toBe(
    '<b>&lt;</b>123',
  );
});

test('leaves no text with a special character, whatever it contains', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 40 }), (text) => {
      expect(markup`${text}`.text).not.toMatch(/[<>"']/);
    }),
  );
});

test('inserts HTML into a message and escapes the message', () => {
  expect(
    withHtml((slot) => `${slot(1)} < ${slot(0)}`, [markup`<b>${'<x>'}</b>`, trustedHtml('<i></i>')]).text,
  ).toBe('<i></i> &lt; <b>&lt;x&gt;</b>');
});
