/**
 * The tag to format dates and numbers by: the browser's own region where it speaks the interface language (en
 * in Britain writes 21 Nov 2026, in the United States Nov 21, 2026), else the interface language alone.
 * @param preferred the languages of the browser, most wanted first
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
