/**
 * The tag to format dates and numbers by: the browser's own region if it prefers the interface language (English
 * is 21 Nov 2026 in Britain and Nov 21, 2026 in the United States), else the interface language alone.
 * @param preferred the languages of the browser, most preferred first
 */
export function regionalLocale(
  tag: string,
  preferred: readonly string[] = globalThis.navigator?.languages ?? [],
): string {
  const { language, script } = new Intl.Locale(tag).maximize();
  const speaksIt = (candidate: string): boolean => {
    try {
      const locale = new Intl.Locale(candidate);
      const full = locale.maximize();
      return locale.region !== undefined && full.language === language && full.script === script;
    } catch {
      return false;
    }
  };
  return preferred.find(speaksIt) ?? tag;
}
