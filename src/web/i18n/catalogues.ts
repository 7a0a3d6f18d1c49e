import type { Messages } from '@lingui/core';

/**
 * The parts a catalogue is loaded in: what the first screen says, what one feature or a few say together, and
 * everything else.
 */
export type CataloguePart = 'first' | 'accounts' | 'recorder' | 'library' | 'player' | 'rest';

/** What React Aria says, by package and name. */
export type AriaStrings = Record<string, Record<string, unknown>>;

/** One language as the build makes it of its catalogue; see scripts/catalogue/catalogue-parts.ts. */
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

/** Fetches one part of the messages of one language. */
export async function loadMessages(tag: string, part: CataloguePart): Promise<Messages> {
  const { messages, parts } = await languageOf(tag);
  return part === 'first' ? messages : (await parts[part]()).messages;
}

/** Fetches what React Aria says in a language; null where it does not speak it. */
export async function loadAriaDictionary(tag: string): Promise<AriaStrings | null> {
  const { loadAria } = await languageOf(tag);
  return loadAria ? (await loadAria()).default : null;
}
