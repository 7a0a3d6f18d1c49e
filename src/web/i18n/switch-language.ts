import { i18n } from '@lingui/core';
import { shippedLocale, sourceLocale, type LocaleTag } from '#contract/locales.ts';
import { loadAriaStrings } from './aria-strings.ts';
import { onPreferenceOfOtherTab, readCookie, rememberInCookie, notifyOtherTabs } from './preferences.ts';
import { withMessages } from './load-messages.ts';

let wanted: LocaleTag | null = null;

/**
 * Shows the interface in another language at once: nothing is loaded again, remounted or interrupted, and the
 * old language stays until the new one is there. Of two switches under way the later one wins.
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
 * Switches to the language a person chose elsewhere and remembers it on this device; other tabs hear of it by
 * themselves. False when a later choice overtook it.
 */
export async function adoptLanguage(tag: LocaleTag): Promise<boolean> {
  const isShown = await show(tag);
  if (isShown) rememberInCookie('lang', tag);
  return isShown;
}

/**
 * Switches to the language a person chose, remembers it on this device and tells the other tabs. False when a
 * later choice overtook it.
 */
export async function switchLanguage(tag: LocaleTag): Promise<boolean> {
  const isShown = await adoptLanguage(tag);
  if (isShown) notifyOtherTabs({ kind: 'language', value: tag });
  return isShown;
}

/**
 * What the address asks for, else what was chosen before, else what was negotiated for this page and written
 * on it.
 */
function languageOfPage(): LocaleTag {
  const requested = new URLSearchParams(location.search).get('lang');
  const known = [requested, readCookie('lang'), document.documentElement.lang].map((tag) =>
    shippedLocale(tag ?? ''),
  );
  return known.find((locale) => locale !== null)?.tag ?? sourceLocale.tag;
}

/**
 * Shows the language of the page and follows the choices made in other tabs. The page may come out of a
 * service worker that could not read what was chosen, and a language that was never fetched cannot be had
 * without a network: then English, which is always kept.
 */
export async function startLanguage(): Promise<void> {
  onPreferenceOfOtherTab('language', (value) => {
    const chosen = shippedLocale(value);
    if (chosen) void show(chosen.tag);
  });
  await show(languageOfPage()).catch(() => show(sourceLocale.tag));
}
