/**
 * The tag to format dates and numbers by: the reader's own region if they prefer the language of the page (English is
 * 21 Nov 2026 in Britain and Nov 21, 2026 in the United States), else the language alone.
 * @param preferred the languages of the browser, most preferred first
 */
export function regionalTag(tag: string, preferred: readonly string[]): string {
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
