import { expect, test } from 'vitest';
import { oembedOf, oembedXml, tokenOfAddress } from './oembed.ts';

const origins = ['https://ear.example', 'https://share.example'];
const token = '2345678abcdefghjkmnpqr';

test.each([
  `https://ear.example/s/${token}`,
  `https://share.example/s/${token}?lang=de#t=5`,
  `https://EAR.example:443/s/${token}`,
])('finds the token in %s', (address) => {
  expect(tokenOfAddress(address, origins)).toBe(token);
});

test.each([
  '',
  'ear.example',
  `/s/${token}`,
  `https://evil.example/s/${token}`,
  `https://ear.example.evil.example/s/${token}`,
  `https://ear.example@evil.example/s/${token}`,
  `https://user@ear.example/s/${token}`,
  `http://ear.example/s/${token}`,
  `https://ear.example:8443/s/${token}`,
  `https://ear.example/s/${token}/audio`,
  `https://ear.example/s/${token}/`,
  `https://ear.example//s/${token}`,
  `https://ear.example/embed/${token}`,
  `https://ear.example/s/%32345678abcdefghjkmnpqr`,
  'https://ear.example/s/"><script>',
  `javascript:https://ear.example/s/${token}`,
])('S34: answers nothing for %s', (address) => {
  expect(tokenOfAddress(address, origins)).toBeNull();
});

const options = {
  shareOrigin: 'https://share.example',
  token,
  title: 'A "title" <b>',
  author: 'Anna & co',
  maxWidth: undefined,
  maxHeight: undefined,
};

test('answers with a frame of our own address, in which the title is escaped', () => {
  expect(oembedOf(options)).toMatchObject({
    version: '1.0',
    type: 'rich',
    title: 'A "title" <b>',
    author_name: 'Anna & co',
    width: 640,
  });
  expect(oembedOf(options)['html']).toMatch(
    new RegExp(
      String.raw`^<iframe src="https://share\.example/embed/${token}" title="A &quot;title&quot; &lt;b&gt; · Earshot" width="640"`,
    ),
  );
});

test('fits into the size that was asked for, and leaves out what the link hides', () => {
  const answer = oembedOf({ ...options, title: null, author: null, maxWidth: 320, maxHeight: 200 });
  expect(answer).toMatchObject({ width: 320, height: 200 });
  expect(Object.keys(answer)).not.toEqual(expect.arrayContaining(['title']));
  expect(oembedOf({ ...options, maxWidth: 1 })['width']).toBe(240);
});

test('writes the same as XML', () => {
  const xml = oembedXml(oembedOf(options));
  expect(xml).toContain('<type>rich</type>');
  expect(xml).toContain('<title>A &quot;title&quot; &lt;b&gt;</title>');
  expect(xml).toContain('<html>&lt;iframe src=&quot;https://share.example/embed/');
});
