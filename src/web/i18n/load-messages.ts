import { i18n, type Messages } from '@lingui/core';
import { second } from '#base/duration.ts';
import { loadMessages, type CataloguePart } from './catalogues.ts';

/** The parts that have been needed so far; a switch of the language brings all of them. */
const parts = new Set<CataloguePart>(['first']);

/**
 * Fetches all the messages of one language that the page has needed so far, beside something else that the
 * switch waits for, and hands both over in the very moment in which nothing is missing: a part that is needed
 * later finds the new language shown.
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

/** Resolves when a language is shown: a chunk may be here before the page has its first words. */
async function someLanguage(): Promise<void> {
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
 * Resolves when a part is there in the language shown, also when that is switched meanwhile. A failed fetch
 * is tried again for as long as it takes: whoever waits for words cannot do without them. Nothing on the
 * screen says any of them yet, so nothing is drawn again.
 */
async function fetchPart(part: CataloguePart): Promise<void> {
  parts.add(part);
  await someLanguage();
  for (let waitMs = second / 2; ; waitMs = Math.min(waitMs * 2, 5 * second)) {
    const tag = i18n.locale;
    try {
      const messages = await loadMessages(tag, part);
      if (tag === i18n.locale) {
        // `load` would say that the language changed, and have the whole app drawn again.
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
  const there = fetched.get(part) ?? fetchPart(part);
  fetched.set(part, there);
  return there;
}

/**
 * A fetched chunk, once its words are there too; the build puts this around every `import()` of something
 * that says more than the first screen does. Rejects as soon as the chunk cannot be fetched.
 * @public
 */
export async function chunkAndMessages<Module>(
  chunk: Promise<Module>,
  needed: readonly CataloguePart[],
): Promise<Module> {
  const [module] = await Promise.all([chunk, ...needed.map(needMessages)]);
  return module;
}
