import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import type { ShippedLocale } from '#contract/locales.ts';
import { serverI18n } from '#server/i18n/server-i18n.ts';

const manifestSchema = z.looseObject({ shortcuts: z.array(z.looseObject({ url: z.string() })).default([]) });

/** The texts of the installed app in one language. */
const messages = (tag: string) => {
  const i18n = serverI18n(tag);
  return {
    description: i18n._(
      'Record speech in your browser without losing a second, and play it back right away.',
    ),
    shortcuts: new Map([
      ['/', i18n._('New recording')],
      ['/library', i18n._('Open library')],
    ]),
  };
};

/**
 * Reads the web app manifest of the build (W3C Application Manifest).
 * @returns a function that renders it in a visitor's language
 */
export async function readWebManifest(directory: string): Promise<(locale: ShippedLocale) => string> {
  const manifest = manifestSchema.parse(
    JSON.parse(await readFile(join(directory, 'manifest.webmanifest'), 'utf8')),
  );
  return ({ tag, dir }) => {
    const { description, shortcuts } = messages(tag);
    return JSON.stringify({
      ...manifest,
      lang: tag,
      dir,
      description,
      shortcuts: manifest.shortcuts.map((shortcut) => ({
        ...shortcut,
        name: shortcuts.get(shortcut.url) ?? shortcut['name'],
      })),
    });
  };
}
