import { loadAriaDictionary, type AriaStrings } from './catalogues.ts';

const stringsSymbol = Symbol.for('react-aria.i18n.strings');
const localeSymbol = Symbol.for('react-aria.i18n.locale');

let current: AriaStrings = {};

/**
 * React Aria caches the first global dictionary for the life of the page. Each package therefore gets a proxy that
 * looks up every string in the current dictionary.
 */
function install(packages: readonly string[]): void {
  const views = packages.map((name) => [
    name,
    new Proxy({}, { get: (_, key) => current[name]?.[String(key)] }),
  ]);
  Object.assign(globalThis, { [localeSymbol]: 'en-US', [stringsSymbol]: Object.fromEntries(views) });
}

/** Our own texts for a language that React Aria does not have; English for those that we do not have. */
async function ownStrings(tag: string): Promise<AriaStrings> {
  const [english, { ariaMessages }, { ariaDictionary }] = await Promise.all([
    loadAriaDictionary('en'),
    import('./aria-messages.ts'),
    import('./aria-dictionary.ts'),
  ]);
  const messages = ariaMessages[tag];
  return { ...english, ...(messages ? ariaDictionary(messages) : {}) };
}

/**
 * Loads React Aria's texts in a language.
 * @returns makes them current
 */
export async function loadAriaStrings(tag: string): Promise<() => void> {
  const strings = (await loadAriaDictionary(tag)) ?? (await ownStrings(tag));
  return () => {
    current = strings;
    if (!(stringsSymbol in globalThis)) install(Object.keys(strings));
  };
}
