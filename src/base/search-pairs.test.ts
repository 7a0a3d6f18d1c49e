import { expect, test } from 'vitest';
import { finds } from './search-words.suite.ts';

/** A text, and what is typed to find it. */
const found: readonly (readonly [text: string, typed: string])[] = [
  // Latin: accents, letters of two, capitals, width, apostrophes, hyphens.
  ['Müller', 'muller'],
  ['Muller', 'müller'],
  ['Straße', 'strasse'],
  ['STRASSE', 'straße'],
  ['Œuvre', 'oeuvre'],
  ['Ærø', 'aero'],
  ['Þórður', 'thordur'],
  ['Łódź', 'lodz'],
  ['Đakovo', 'dakovo'],
  ['Ångström', 'angstrom'],
  ['naïve', 'naive'],
  ['Cafe\u0301', 'café'],
  ['Café', 'cafe\u0301'],
  ['São Paulo', 'sao paulo'],
  ['Señor', 'senor'],
  ['Ｔｏｋｙｏ', 'tokyo'],
  ['ﬁnale', 'finale'],
  ['O’Brien', "o'brien"],
  ["O'Brien", 'o’brien'],
  ['l’été', 'été'],
  ["rock'n'roll", 'roll'],
  ['Anne-Marie', 'marie'],
  ['Anne-Marie', 'anne marie'],
  ['Interview_Müller_2024', 'muller'],
  ['memo.final.v2', 'final'],
  ['Interview Anna', 'anna interview'],
  ['Interview Anna', 'int'],
  ['Ngữ văn Việt', 'ngu van viet'],
  ['Đà Nẵng', 'da nang'],
  // Turkish and Azerbaijani.
  ['İSTANBUL', 'istanbul'],
  ['istanbul', 'İSTANBUL'],
  ['ISPARTA', 'ısparta'],
  ['ılık', 'ilik'],
  ['Şükrü Çağlar', 'sukru caglar'],
  // Cyrillic.
  ['Ёлка', 'елка'],
  ['Елка', 'ёлка'],
  ['Йогурт', 'иогурт'],
  ['інтерв\u02bcю', "інтерв'ю"],
  ['інтерв\u02bcю', 'інтерв’ю'],
  ["інтерв'ю", 'інтерв\u02bcю'],
  ['інтерв’ю', "інтерв'ю"],
  ['пам\u02bcять', 'пам’ять'],
  ['Їжак', 'іжак'],
  ['Їжак', 'їжак'],
  ['РАССКАЗ', 'рассказ'],
  ['Ћирић', 'ћирић'],
  // Greek.
  ['ΟΔΟΣ', 'οδος'],
  ['οδός', 'ΟΔΟΣ'],
  ['Ελλάδα', 'ελλαδα'],
  ['Ἀθῆναι', 'αθηναι'],
  // Arabic, Persian, Urdu.
  ['مُقَابَلَة', 'مقابلة'],
  ['مقابلة', 'مقابله'],
  ['أحمد', 'احمد'],
  ['إلى', 'الي'],
  ['آمنة', 'امنه'],
  ['أحـــمد', 'أحمد'],
  ['ﻣﻘﺎﺑﻠﺔ', 'مقابلة'],
  ['كتاب', 'کتاب'],
  ['علی', 'علي'],
  ['می\u200cخواهم', 'می\u200cخواهم'],
  ['می\u200cخواهم', 'میخواهم'],
  ['می\u200cخواهم', 'می خواهم'],
  ['می خواهم', 'می\u200cخواهم'],
  ['می خواهم', 'میخواهم'],
  ['میخواهم', 'می\u200cخواهم'],
  ['نمی دانم', 'نمی\u200cدانم'],
  ['کتاب\u200cها', 'کتاب ها'],
  ['کتاب ها', 'کتاب\u200cها'],
  ['کتاب های قدیمی', 'کتاب\u200cهای'],
  ['بزرگ\u200cترین', 'بزرگ ترین'],
  ['پیش\u200cبینی هوا', 'پیش بینی'],
  ['پیش\u200cبینی هوا', 'بینی'],
  ['ہفتہ', 'هفته'],
  ['سال ۱۴۰۳', '1403'],
  ['٢٠٢٤', '2024'],
  // Hebrew.
  ['שָׁלוֹם', 'שלום'],
  ['ראיון עם סבתא', 'סבתא'],
  ['דרך', 'דרכ'],
  // Indic scripts.
  ['क़लम', 'कलम'],
  ['हिन्दी', 'हिन्दी'],
  ['फ़िल्म २०२४', 'फिल्म 2024'],
  ['বাংলা', 'বাংলা'],
  ['ড়', 'ড\u09bc'],
  ['தமிழ்', 'தமிழ்'],
  // Chinese, Japanese.
  ['北京大学', '大学'],
  ['北京大学', '京大'],
  ['会議２０２４', '2024'],
  ['祖母の話', '話'],
  ['ﾃｽﾄ録音', 'テスト'],
  ['カタカナ', 'ｶﾀｶﾅ'],
  ['デ－タ', 'デ'],
  ['がっこう', 'がっこう'],
  // Korean: names in the middle, particles, decomposed syllables.
  ['김철수와 인터뷰', '철수'],
  ['김철수와 인터뷰', '김철수'],
  ['박지영 회의', '지영'],
  ['이순신장군', '순신'],
  ['한국어', '한국'],
  ['한국어', '한구'],
  ['\u1112\u1161\u11ab국', '한국'],
  // Thai, Lao, Khmer, Burmese: no spaces.
  ['ร้านกาแฟ', 'กาแฟ'],
  ['ພາສາລາວ', 'ລາວ'],
  ['ភាសាខ្មែរ', 'ខ្មែរ'],
  ['မြန်မာဘာသာ', 'ဘာသာ'],
  // Emoji and flags.
  ['Holiday 🏖️', '🏖'],
  ['Kyiv 🇺🇦', '🇺🇦'],
  ['👩‍👧 call', '👩'],
  // Numbers and days.
  ['Take 007', '007'],
  ['Take 007', 'take 00'],
  ['2024-05-17 Interview', '2024 05'],
  ['½ Stunde', '1'],
];

/** A text, and what is typed without finding it. */
const notFound: readonly (readonly [text: string, typed: string, why: string])[] = [
  ['Seminar', 'minar', 'the middle of a word of a script with spaces'],
  ['Interview', 'interviews', 'a longer word'],
  ['Anna', 'anne', 'another word'],
  ['Interview Anna', 'interview bob', 'one word of two'],
  ['がき', 'かき', 'sound marks are letters of their own'],
  ['북한국', '한국', 'a first syllable that is no family name'],
  ['김철', '철', 'a given name of one syllable'],
  ['کتاب', 'کتاب\u200cها', 'a word without its ending'],
  ['100 %', '%', 'signs alone'],
  ['北京', '京北', 'characters in another order'],
  // Decided: search has no dictionary, so a word without a joiner or a space is not divided.
  ['میخواهم', 'خواهم', 'a part of a word that is written as one'],
  // Decided: ä is found by a, not by ae, because Finnish and Swedish readers type a.
  ['Müller', 'mueller', 'a German replacement of an umlaut'],
  // Decided: scripts are not transliterated.
  ['Москва', 'moskva', 'another script'],
];

test.each(found)('%s is found by %s', (text, typed) => {
  expect(finds(typed, text)).toBe(true);
});

test.each(notFound)('%s is not found by %s: %s', (text, typed) => {
  expect(finds(typed, text)).toBe(false);
});

test('the table covers at least a hundred pairs', () => {
  expect(found.length + notFound.length).toBeGreaterThanOrEqual(100);
});
