import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { findPackageJSON } from 'node:module';
import { dirname, join } from 'node:path';
import { setupI18n, type I18n } from '@lingui/core';
import { compileMessage } from '@lingui/message-utils/compileMessage';
import { parsePo } from 'pofile-ts';
import { locales, nearestLocale, shippedLocale } from '#contract/locales.ts';
import { deferred } from '#base/deferred.ts';

// Not a path from this file: in a package, it is in a bundle in another folder.
const folder = join(dirname(findPackageJSON(import.meta.url) ?? ''), 'locales');
const made = new Map<string, I18n>();
/** Catalogues that were read, and are parsed on first use: a parsed one takes seven times the memory. */
const unparsed = new Map<string, Buffer>();

const pathOf = (tag: string): string => join(folder, `${tag}.po`);

function read(tag: string): I18n {
  const { items } = parsePo((unparsed.get(tag) ?? readFileSync(pathOf(tag))).toString());
  unparsed.delete(tag);
  const said = items.filter(({ references }) =>
    references.some((origin) => origin.startsWith('src/server/')),
  );
  const i18n = setupI18n({
    locale: tag,
    messages: { [tag]: Object.fromEntries(said.map(({ msgid, msgstr }) => [msgid, msgstr[0] || msgid])) },
  });
  return i18n.setMessagesCompiler(compileMessage);
}

/**
 * Returns the server's own texts (e-mails, the page a provider leads back to) in the language of a BCP 47 tag,
 * else in English. They are in the same catalogues as the app's texts and are read on first use. The language is
 * passed explicitly: the server has no current language.
 */
export function serverI18n(locale: string | null): I18n {
  // The tag may have been stored earlier, by another version.
  const { tag } = shippedLocale(locale ?? '') ?? nearestLocale([locale ?? '']);
  const known = made.get(tag) ?? read(tag);
  made.set(tag, known);
  return known;
}

for (const { tag } of locales)
  deferred(async () => {
    if (!made.has(tag)) unparsed.set(tag, await readFile(pathOf(tag)));
  });
