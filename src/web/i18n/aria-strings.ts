import type { LocaleTag } from '#contract/locales.ts';

type Strings = Record<string, Record<string, unknown>>;

const stringsSymbol = Symbol.for('react-aria.i18n.strings');
const localeSymbol = Symbol.for('react-aria.i18n.locale');

const dictionaries: Record<LocaleTag, () => Promise<{ default: Strings }>> = {
  en: () => import('react-aria-components/i18n/en-US'),
  de: () => import('react-aria-components/i18n/de-DE'),
  ar: () => import('react-aria-components/i18n/ar-AE'),
};

let current: Strings = {};

/**
 * React Aria caches the first global dictionary for the life of the page. Each package therefore gets a view
 * that looks every string up in the dictionary current at that moment.
 */
function install(packages: readonly string[]): void {
  const views = packages.map((name) => [name, new Proxy({}, { get: (_, key) => current[name]?.[String(key)] })]);
  Object.assign(globalThis, { [localeSymbol]: 'en-US', [stringsSymbol]: Object.fromEntries(views) });
}

/** Fetches the words React Aria itself says in a language; gives back what makes them current. */
export async function loadAriaStrings(tag: LocaleTag): Promise<() => void> {
  const { default: strings } = await dictionaries[tag]();
  return () => {
    current = strings;
    if (!(stringsSymbol in globalThis)) install(Object.keys(strings));
  };
}
