import { describe, expect, it } from 'vitest';
import { meantText } from './tag-text.ts';

/** The text of these bytes when they are decoded as Latin-1, as the tag declares. */
const asLatin1 = (hex: string): string =>
  String.fromCharCode(...(hex.match(/../g) ?? []).map((pair) => Number.parseInt(pair, 16)));
const utf8AsLatin1 = (text: string): string => String.fromCharCode(...new TextEncoder().encode(text));

const cyrillic1251 = asLatin1('d0e0f1f1eae0e720e1e0e1f3f8eae8');
const japanese = asLatin1('916395ea82cc9862');

describe('the text of a tag', () => {
  it.each(['Rozhovor s babičkou', 'Рассказ бабушки', '祖母の話', 'مصاحبه', 'Groß'])(
    'reads %s as UTF-8 although the tag declares another encoding',
    (text) => {
      expect(meantText(utf8AsLatin1(text), [])).toBe(text);
    },
  );

  it.each([
    'Café à Zürich',
    'dit\u00a0: «\u00a0À demain\u00a0»',
    'Über Größe',
    'naïve',
    'Plain',
    'Señor Núñez',
    'Ærø',
    'Рассказ',
  ])('leaves %s unchanged', (text) => {
    expect(meantText(text, ['ru', 'ja'])).toBe(text);
  });

  it.each([
    [cyrillic1251, ['ru-RU', 'en'], 'Рассказ бабушки'],
    [cyrillic1251, ['uk'], 'Рассказ бабушки'],
    [japanese, ['ja-JP'], '祖母の話'],
    [asLatin1('f9ece5ed20e9eceaee'), ['he'], 'שלום ילךמ'],
    [asLatin1('e3dec7c8e1c9'), ['ar'], 'مقابلة'],
    [asLatin1('c7d2b8d3b4cf'), ['ko-KR'], '할머니'],
    [asLatin1('d7e6c4b8'), ['zh-CN'], '祖母'],
  ])('decodes %j for a user of %j', (text, languages, meant) => {
    expect(meantText(text, languages)).toBe(meant);
  });

  it('is unknown if several encodings fit and no language of the user decides', () => {
    expect(meantText(cyrillic1251, ['en'])).toBeNull();
  });
});
