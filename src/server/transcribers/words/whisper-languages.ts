/** The languages of Whisper. It ends its process at any other. */
const languages = new Set(
  (
    'af am ar as az ba be bg bn bo br bs ca cs cy da de el en es et eu fa fi fo fr gl gu ha haw he hi hr ht hu hy ' +
    'id is it ja jw ka kk km kn ko la lb ln lo lt lv mg mi mk ml mn mr ms mt my ne nl nn no oc pa pl ps pt ro ru ' +
    'sa sd si sk sl sn so sq sr su sv sw ta te tg th tk tl tr tt uk ur uz vi yi yo zh'
  ).split(' '),
);
/** Other names of the same languages. */
const synonyms: Readonly<Record<string, string>> = {
  nb: 'no',
  fil: 'tl',
  jv: 'jw',
  iw: 'he',
  in: 'id',
  yue: 'zh',
  cmn: 'zh',
};

const englishNames = new Intl.DisplayNames('en', { type: 'language' });
const byEnglishName = new Map(
  [...languages].map((language) => [englishNames.of(language)?.toLowerCase(), language]),
);

/** Reads a language as a server names it: by its tag, or in English. Null if it is neither. */
export function languageNamed(name: string): string | null {
  const wanted = name.trim().toLowerCase();
  return languages.has(wanted) ? wanted : (byEnglishName.get(wanted) ?? null);
}

/** What Whisper calls a language; null if it does not know it. */
export function whisperLanguage(language: string): string | null {
  const [primary = ''] = language.toLowerCase().split('-');
  const name = synonyms[primary] ?? primary;
  return languages.has(name) ? name : null;
}
