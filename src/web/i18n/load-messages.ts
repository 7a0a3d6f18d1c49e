import { i18n, type Messages } from '@lingui/core';
import { second } from '#base/duration.ts';
import { loadMessages, type CataloguePart } from './catalogues.ts';

/** The parts needed so far. A switch of the language loads all of them. */
const parts = new Set<CataloguePart>(['first']);

/**
 * Loads all messages of one language that the page has needed so far, together with `other`, and passes both to
 * `show` as soon as nothing is missing. A part that is needed later finds the new language current.
 */
export async function withMessages<Other, Result>(
  tag: string,
  other: Promise<Other>,
  show: (messages: Messages, other: Other) => Result,
): Promise<Result> {
  for (;;) {
    const needed = [...parts];
    const [loaded, ...messages] = await Promise.all([
      other,
      ...needed.map((part) => loadMessages(tag, part)),
    ]);
    if (needed.length === parts.size) return show(Object.assign({}, ...messages) as Messages, loaded);
  }
}

/** Resolves when a language is current. A chunk may load before the page's first messages. */
async function whenLanguageShown(): Promise<void> {
  if (i18n.locale !== '') return;
  await new Promise<void>((resolve) => {
    const stop = i18n.on('change', () => {
      if (i18n.locale === '') return;
      stop();
      resolve();
    });
  });
}

/**
 * Resolves when a part has loaded in the current language, also if that is switched meanwhile. Retries without a
 * limit, because the component that needs the messages cannot render without them. Nothing on the screen uses the
 * messages yet, so nothing is rerendered.
 */
async function fetchPart(part: CataloguePart): Promise<void> {
  parts.add(part);
  await whenLanguageShown();
  for (let waitMs = second / 2; ; waitMs = Math.min(waitMs * 2, 5 * second)) {
    const tag = i18n.locale;
    try {
      const messages = await loadMessages(tag, part);
      if (tag === i18n.locale) {
        // `load` would emit a change of the language and rerender the whole app.
        Object.assign(i18n.messages, messages);
        return;
      }
    } catch {
      await new Promise((resolve) => {
        setTimeout(resolve, waitMs);
      });
    }
  }
}

const fetched = new Map<CataloguePart, Promise<void>>();

function needMessages(part: CataloguePart): Promise<void> {
  const loading = fetched.get(part) ?? fetchPart(part);
  fetched.set(part, loading);
  return loading;
}

/**
 * Returns a chunk once its messages have loaded too. The build wraps every `import()` of a module with messages
 * that are not on the first screen. Rejects as soon as the chunk does not load.
 * @public
 */
export async function chunkAndMessages<Module>(
  chunk: Promise<Module>,
  needed: readonly CataloguePart[],
): Promise<Module> {
  const [module] = await Promise.all([chunk, ...needed.map(needMessages)]);
  return module;
}
