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

  it.each([
    ['It\u0092s late', 'It’s late'],
    ['\u0093Hello\u0094 she said', '“Hello” she said'],
    ['Monday \u0096 evening', 'Monday – evening'],
    ['L\u0092\u00e9t\u00e9', 'L’été'],
  ])('reads the punctuation of Windows in %j', (text, meant) => {
    expect(meantText(text, ['ja', 'ru'])).toBe(meant);
  });

  it.each([
    ['Itâ€™s late', 'It’s late'],
    ['Ã„rger', 'Ärger'],
    ['Ð\u00a0Ð°Ñ\u0081Ñ\u0081ÐºÐ°Ð·', 'Рассказ'],
  ])('reads %j, UTF-8 that was decoded once too often', (text, meant) => {
    expect(meantText(text, [])).toBe(meant);
  });

  it.each(['G\u0000r\u0000a\u0000', '\u0000G\u0000r\u0000a'])('reads UTF-16 in %j', (text) => {
    expect(meantText(text, [])).toBe('Gra');
  });

  it.each(['Interview\u0001', 'One\u0000Two', 'Gr\ufffdn', '??? ????? ??', '\u00ff\u00feG', 'half \ud83c'])(
    'is unknown in %j',
    (text) => {
      expect(meantText(text, ['en'])).toBeNull();
    },
  );

  it.each(['Why?', 'Who? What? When?', '雪', 'नमस्ते', 'می‌خواهم', '🇩🇪 Reise'])('leaves %j as it is', (text) => {
    expect(meantText(text, ['en'])).toBe(text);
  });

  it('is unknown if several encodings fit and no language of the user decides', () => {
    expect(meantText(cyrillic1251, ['en'])).toBeNull();
  });
});
