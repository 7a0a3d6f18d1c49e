import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parsePo } from 'pofile-ts';

/** The languages of the explorer, with the names that the menu shows. */
export const autonyms = { en: 'English', de: 'Deutsch' } as const;
export type Language = keyof typeof autonyms;

const keyOf = (text: string, context = ''): string => `${context}\u0004${text}`;

const read = (language: Language): Map<string, string> => {
  const file = join(import.meta.dirname, '..', '..', 'locales', `${language}.po`);
  const { items } = parsePo(readFileSync(file, 'utf8'));
  return new Map(
    items.map(({ msgid, msgctxt, msgstr }) => [keyOf(msgid, msgctxt ?? ''), msgstr[0] ?? ''] as const),
  );
};

const catalogues = new Map<Language, Map<string, string>>();

/** The words of the screen in a language, by the English ones. */
export function wordsIn(language: Language, text: string, context = ''): string {
  if (language === 'en') return text;
  const catalogue = catalogues.get(language) ?? read(language);
  catalogues.set(language, catalogue);
  const found = catalogue.get(keyOf(text, context));
  if (!found) throw new Error(`no ${language} words for “${text}”`);
  return found;
}

/** What matches a sentence with placeholders in a language. */
export function patternIn(language: Language, text: string): RegExp {
  const literal = wordsIn(language, text).split(/\{\w+\}|<\/?\d+\/?>/u);
  return new RegExp(literal.map((part) => RegExp.escape(part)).join('.*'), 'u');
}
