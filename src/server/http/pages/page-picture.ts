import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { emptyRoot } from '#contract/page-pictures.ts';

const picturesSchema = z.record(z.string(), z.record(z.string(), z.string()));

/**
 * Returns HTML for the body: the app's root with the page's prerendered HTML, and the message shown if the app
 * cannot load.
 */
export type RootOf = (tag: string, page: string | undefined) => string;

/**
 * Reads the pages that the build prerendered (scripts/prerendered-pages.ts), as the app first shows them before it knows
 * the user. They are inert until the app replaces them: they take no focus, and screen readers ignore them.
 */
export async function readRoots(directory: string): Promise<RootOf> {
  const drawn = picturesSchema.parse(
    JSON.parse(await readFile(join(directory, '.vite', 'prerendered.json'), 'utf8').catch(() => '{}')),
  );
  return (tag, page) => {
    const picture = drawn[tag]?.[page ?? ''];
    const root =
      picture === undefined
        ? emptyRoot
        : `<div id="root"><div data-prerendered="${page}" inert aria-hidden="true">${picture}</div></div>`;
    const loadError = drawn[tag]?.['load-error'] ?? '';
    return `${root}\n<template id="load-error">${loadError}</template>\n<noscript>${loadError}</noscript>`;
  };
}
