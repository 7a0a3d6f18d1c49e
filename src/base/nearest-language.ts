/**
 * Languages whose readers also read another one well, by the requested tag: the mutually intelligible pairs of
 * CLDR's languageMatching. Mere second languages of a country are left out, because a browser that wants one names
 * it.
 */
const readAlso: Readonly<Record<string, readonly string[]>> = {
  'no-Latn': ['nb', 'nn', 'da', 'sv'],
  'nb-Latn': ['no', 'nn', 'da', 'sv'],
  'nn-Latn': ['nb', 'no', 'da', 'sv'],
  'da-Latn': ['nb', 'no', 'nn', 'sv'],
  'gsw-Latn': ['de'],
  'lb-Latn': ['de'],
  'nds-Latn': ['de'],
  'bar-Latn': ['de'],
  'fy-Latn': ['nl'],
  'af-Latn': ['nl'],
  'li-Latn': ['nl'],
  'sk-Latn': ['cs'],
  'cs-Latn': ['sk'],
  'hsb-Latn': ['cs'],
  'gl-Latn': ['pt-PT', 'pt', 'es'],
  'ast-Latn': ['es'],
  'an-Latn': ['es'],
  'ca-Latn': ['es'],
  'oc-Latn': ['ca', 'fr'],
  'ms-Latn': ['id'],
  'jv-Latn': ['id'],
  'su-Latn': ['id'],
  'mad-Latn': ['id'],
  'bs-Latn': ['hr', 'sr-Latn'],
  'hr-Latn': ['bs', 'sr-Latn'],
  'sr-Latn': ['hr', 'bs', 'sr'],
  'sr-Cyrl': ['sr-Latn', 'hr', 'bs'],
  'hi-Latn': ['hi'],
  'zh-Hant': ['zh-Hans'],
  'zh-Hans': ['zh-Hant'],
  'yue-Hant': ['zh-Hant', 'zh-Hans'],
  'yue-Hans': ['zh-Hans', 'zh-Hant'],
  'wuu-Hans': ['zh-Hans'],
  'hak-Hans': ['zh-Hans'],
  'nan-Hans': ['zh-Hans'],
};

/** The language and script of a tag, such as `zh-Hant` for zh-TW and `he-Hebr` for iw; null for an invalid tag. */
export function written(tag: string): string | null {
  try {
    const { language, script } = new Intl.Locale(tag).maximize();
    return `${language}-${script ?? ''}`;
  } catch {
    // A header may contain any text.
    return null;
  }
}

/**
 * The first of the wanted languages that is available, or the nearest to it: the tag itself, else the same
 * language in the same script in any region, else one that its readers also read. Null if none is available. Skips
 * invalid tags.
 * @param wanted BCP 47 tags, most preferred first
 * @param available BCP 47 tags; the first of equal ones is used
 */
export function nearestLanguage<Tag extends string>(
  wanted: readonly string[],
  available: readonly Tag[],
): Tag | null {
  const writtenTags = available.map((tag) => [tag, written(tag)] as const);
  const findWritten = (key: string | null) =>
    key === null ? undefined : writtenTags.find(([, own]) => own === key)?.[0];
  for (const tag of wanted) {
    const key = written(tag);
    if (key === null) continue;
    const found =
      available.find((own) => own.toLowerCase() === tag.toLowerCase()) ??
      findWritten(key) ??
      (readAlso[key] ?? []).map((also) => findWritten(written(also))).find((own) => own !== undefined);
    if (found !== undefined) return found;
  }
  return null;
}
