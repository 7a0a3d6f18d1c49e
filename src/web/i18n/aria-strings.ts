import { loadAriaDictionary, type AriaStrings } from './catalogues.ts';

const stringsSymbol = Symbol.for('react-aria.i18n.strings');
const localeSymbol = Symbol.for('react-aria.i18n.locale');

let current: AriaStrings = {};

/**
 * React Aria caches the first global dictionary for the life of the page. Each package therefore gets a view
 * that looks every string up in the dictionary current at that moment.
 */
function install(packages: readonly string[]): void {
  const views = packages.map((name) => [
    name,
    new Proxy({}, { get: (_, key) => current[name]?.[String(key)] }),
  ]);
  Object.assign(globalThis, { [localeSymbol]: 'en-US', [stringsSymbol]: Object.fromEntries(views) });
}

/** For a language that React Aria does not speak, our own words; what they leave out is said in English. */
async function ownStrings(tag: string): Promise<AriaStrings> {
  const [english, { ariaMessages }, { ariaDictionary }] = await Promise.all([
    loadAriaDictionary('en'),
    import('./aria-messages.ts'),
    import('./aria-dictionary.ts'),
  ]);
  const messages = ariaMessages[tag];
  return { ...english, ...(messages ? ariaDictionary(messages) : {}) };
}

/** Fetches the words React Aria itself says in a language; gives back what makes them current. */
export async function loadAriaStrings(tag: string): Promise<() => void> {
  const strings = (await loadAriaDictionary(tag)) ?? (await ownStrings(tag));
  return () => {
    current = strings;
    if (!(stringsSymbol in globalThis)) install(Object.keys(strings));
  };
}
