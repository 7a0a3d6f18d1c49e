import { i18n } from '@lingui/core';
import { shippedLocale, sourceLocale, type LocaleTag } from '#contract/locales.ts';
import { loadAriaStrings } from './aria-strings.ts';
import { onPreferenceOfOtherTab, readCookie, rememberInCookie, notifyOtherTabs } from './preferences.ts';
import { withMessages } from './load-messages.ts';

let wanted: LocaleTag | null = null;

/**
 * Switches the interface language without reloading, remounting or interrupting anything. The old language stays
 * until the new one has loaded. The later of two switches wins.
 * @returns false if a later switch won
 */
async function show(tag: LocaleTag): Promise<boolean> {
  wanted = tag;
  return withMessages(tag, loadAriaStrings(tag), (messages, makeAriaStringsCurrent) => {
    if (wanted !== tag) return false;
    makeAriaStringsCurrent();
    i18n.loadAndActivate({ locale: tag, messages });
    document.documentElement.lang = tag;
    document.documentElement.dir = shippedLocale(tag)?.dir ?? 'ltr';
    return true;
  });
}

/**
 * Switches to the language that the user chose elsewhere and stores it on this device. Does not notify other tabs,
 * which learn of it on their own.
 * @returns false if a later choice won
 */
export async function adoptLanguage(tag: LocaleTag): Promise<boolean> {
  const isShown = await show(tag);
  if (isShown) rememberInCookie('lang', tag);
  return isShown;
}

/**
 * Switches to the language that the user chose, stores it on this device and notifies the other tabs.
 * @returns false if a later choice won
 */
export async function switchLanguage(tag: LocaleTag): Promise<boolean> {
  const isShown = await adoptLanguage(tag);
  if (isShown) notifyOtherTabs({ kind: 'language', value: tag });
  return isShown;
}

/** The language of the URL, else the stored choice, else the one negotiated for this page and written on it. */
function languageOfPage(): LocaleTag {
  const requested = new URLSearchParams(location.search).get('lang');
  const known = [requested, readCookie('lang'), document.documentElement.lang].map((tag) =>
    shippedLocale(tag ?? ''),
  );
  return known.find((locale) => locale !== null)?.tag ?? sourceLocale.tag;
}

/**
 * Shows the language of the page and follows the choices of other tabs. A page from the service worker may not
 * have the chosen language, and without a network a language that was never loaded is not available. English,
 * which is always stored, is the fallback.
 */
export async function startLanguage(): Promise<void> {
  onPreferenceOfOtherTab('language', (value) => {
    const chosen = shippedLocale(value);
    if (chosen) void show(chosen.tag);
  });
  await show(languageOfPage()).catch(() => show(sourceLocale.tag));
}
