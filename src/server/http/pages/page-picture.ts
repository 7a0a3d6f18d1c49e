import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { emptyRoot } from '#contract/page-pictures.ts';

const picturesSchema = z.record(z.string(), z.record(z.string(), z.string()));

/**
 * HTML for the body: the app's root with the page's picture in it, and what stands there instead where the
 * app cannot be had.
 */
export type RootOf = (tag: string, page: string | undefined) => string;

/**
 * Reads the pictures of the pages that the build drew (scripts/stand-ins.ts): each page as the app first
 * shows it, before it knows who is there. They are looked at, not used, until the app takes their place:
 * nothing in them takes the focus, and no screen reader hears them.
 */
export async function readRoots(directory: string): Promise<RootOf> {
  const drawn = picturesSchema.parse(
    JSON.parse(await readFile(join(directory, '.vite', 'stand-ins.json'), 'utf8').catch(() => '{}')),
  );
  return (tag, page) => {
    const picture = drawn[tag]?.[page ?? ''];
    const root =
      picture === undefined
        ? emptyRoot
        : `<div id="root"><div data-stand-in="${page}" inert aria-hidden="true">${picture}</div></div>`;
    const trouble = drawn[tag]?.['trouble'] ?? '';
    return `${root}\n<template id="trouble">${trouble}</template>\n<noscript>${trouble}</noscript>`;
  };
}
