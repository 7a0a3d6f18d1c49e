import type { Messages } from '@lingui/core';

/**
 * The parts that a catalogue is loaded in: the messages of the first screen, those of one feature or of several
 * together, and the rest.
 */
export type CataloguePart = 'first' | 'accounts' | 'recorder' | 'library' | 'player' | 'sharing' | 'rest';

/** React Aria's texts, by package and name. */
export type AriaStrings = Record<string, Record<string, unknown>>;

/** One language as the build generates it from its catalogue; see scripts/catalogue/catalogue-parts.ts. */
interface Language {
  messages: Messages;
  parts: Record<Exclude<CataloguePart, 'first'>, () => Promise<{ messages: Messages }>>;
  /** React Aria's own dictionary, if it has the language. */
  loadAria: (() => Promise<{ default: AriaStrings }>) | null;
}

const languages = import.meta.glob<Language>('../../../locales/*.po', { query: '?first?lingui' });

async function languageOf(tag: string): Promise<Language> {
  const load = languages[`../../../locales/${tag}.po`];
  if (!load) throw new TypeError(`no catalogue for ${tag}`);
  return load();
}

/** Loads one part of the messages of one language. */
export async function loadMessages(tag: string, part: CataloguePart): Promise<Messages> {
  const { messages, parts } = await languageOf(tag);
  return part === 'first' ? messages : (await parts[part]()).messages;
}

/** Loads React Aria's texts in a language; null if it does not have the language. */
export async function loadAriaDictionary(tag: string): Promise<AriaStrings | null> {
  const { loadAria } = await languageOf(tag);
  return loadAria ? (await loadAria()).default : null;
}
