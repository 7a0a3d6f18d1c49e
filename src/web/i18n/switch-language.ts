import { i18n } from '@lingui/core';
import { shippedLocale, sourceLocale, type LocaleTag } from '#contract/locales.ts';
import { loadAriaStrings } from './aria-strings.ts';
import { loadMessages } from './catalogues.ts';
import { onPreferenceOfOtherTab, rememberInCookie, tellOtherTabs } from './preferences.ts';

let wanted: LocaleTag | null = null;

/**
 * Shows the interface in another language at once: nothing is loaded anew, remounted or interrupted, and the old
 * language stays until the new one is there. Of two switches under way the later one wins.
 */
async function show(tag: LocaleTag): Promise<boolean> {
  wanted = tag;
  const [messages, makeAriaStringsCurrent] = await Promise.all([loadMessages(tag), loadAriaStrings(tag)]);
  if (wanted !== tag) return false;
  makeAriaStringsCurrent();
  i18n.loadAndActivate({ locale: tag, messages });
  document.documentElement.lang = tag;
  document.documentElement.dir = shippedLocale(tag)?.dir ?? 'ltr';
  return true;
}

/** Switches to the language a person chose, remembers it on this device and tells the other tabs. False when a later choice overtook it. */
export async function switchLanguage(tag: LocaleTag): Promise<boolean> {
  const isShown = await show(tag);
  if (!isShown) return false;
  rememberInCookie('lang', tag);
  tellOtherTabs({ kind: 'language', value: tag });
  return true;
}

/** Shows the language the server negotiated and wrote on the page, and follows the choices made in other tabs. */
export async function startLanguage(): Promise<void> {
  onPreferenceOfOtherTab('language', (value) => {
    const chosen = shippedLocale(value);
    if (chosen) void show(chosen.tag);
  });
  await show(shippedLocale(document.documentElement.lang)?.tag ?? sourceLocale.tag);
}
