import { expect, test } from 'vitest';
import { legacyEncodingNames } from '#workers/import/probe/legacy-text.ts';
import { decodeLabelFile, labelEncodings } from './decode-label-file.ts';

const bytesOf = (hex: string) => Uint8Array.from(hex.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));

test.each([
  { name: 'UTF-8', bytes: bytesOf('4772c3b6c39f65'), languages: ['de'], text: 'Größe' },
  {
    name: 'UTF-8 with a byte order mark',
    bytes: bytesOf('efbbbf4772c3b6c39f65'),
    languages: ['de'],
    text: 'Größe',
  },
  { name: 'UTF-16 of Excel’s “Unicode text”', bytes: bytesOf('fffe4700f600'), languages: ['de'], text: 'Gö' },
  { name: 'UTF-16, the other way round', bytes: bytesOf('feff004700f6'), languages: ['de'], text: 'Gö' },
  {
    name: 'Windows-1252 of Excel’s “CSV”',
    bytes: bytesOf('4772f6df6520617573205afc72696368'),
    languages: ['de', 'en'],
    text: 'Größe aus Zürich',
  },
  {
    name: 'Windows-1251 for a Russian reader',
    bytes: bytesOf('d0e0f1f1eae0e7'),
    languages: ['ru'],
    text: 'Рассказ',
  },
  {
    name: 'Windows-1250 for a Czech reader',
    bytes: bytesOf('626162e86b6f75'),
    languages: ['cs'],
    text: 'babčkou',
  },
  { name: 'bytes that fit no other encoding', bytes: bytesOf('636166e9'), languages: ['ja'], text: 'café' },
])('decodes $name', ({ bytes, languages, text }) => {
  expect(decodeLabelFile(bytes, languages).text).toBe(text);
});

test('says that it guessed, and reads the file in the encoding that the user chooses', () => {
  const bytes = bytesOf('cff0e8e2e5f2');
  expect(decodeLabelFile(bytes, ['en'])).toEqual({
    text: 'Ïðèâåò',
    encoding: 'windows-1252',
    isGuessed: true,
  });
  expect(decodeLabelFile(bytes, ['en'], 'windows-1251').text).toBe('Привет');
  expect(decodeLabelFile(bytesOf('4772c3b6'), ['en'], 'windows-1251')).toMatchObject({
    text: 'Grö',
    isGuessed: false,
  });
});

test('offers only encodings that browsers can read, those that it guesses among them', () => {
  for (const { name } of labelEncodings) expect(new TextDecoder(name).encoding).toBe(name);
  const names = labelEncodings.map(({ name }) => name);
  for (const encoding of legacyEncodingNames) expect(names).toContain(encoding);
});
