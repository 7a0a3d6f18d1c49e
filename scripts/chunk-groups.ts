import { join } from 'node:path';
import type { Rolldown } from 'vite';

type Group = Rolldown.CodeSplittingGroup;
type Context = Rolldown.ChunkingContext;

const web = join(import.meta.dirname, '..', 'src', 'web');
/** What names every icon there is says nothing about which of them are used. */
const namesAll = /[\\/]node_modules[\\/]lucide-react[\\/]/;

/** Everything that some modules import at once, themselves included. */
function importedBy(entries: readonly string[], context: Context): Set<string> {
  const found = new Set<string>();
  const visit = (id: string): void => {
    if (found.has(id) || namesAll.test(id)) return;
    found.add(id);
    for (const imported of context.getModuleInfo(id)?.importedIds ?? []) visit(imported);
  };
  for (const entry of entries) {
    const id = join(web, entry);
    if (!context.getModuleInfo(id))
      throw new Error(`scripts/chunk-groups.ts names ${entry}, which the app does not import`);
    visit(id);
  }
  return found;
}

/**
 * The page itself, with all that runs before the app; there is none where the app is built to be drawn
 * (stand-ins.ts).
 */
function pageItself(name: string): Group {
  const page = 'index.html';
  let needed: Set<string> | null = null;
  return {
    debugName: name,
    name: (id, context) =>
      context.getModuleInfo(join(web, page)) && (needed ??= importedBy([page], context)).has(id)
        ? name
        : null,
  };
}

/**
 * All that some parts of the app need, and no file of an earlier moment has: whoever asks for one of them is
 * about to ask for the others.
 */
function together(name: string, entries: readonly string[]): Group {
  let needed: Set<string> | null = null;
  return {
    debugName: name,
    name: (id, context) => ((needed ??= importedBy(entries, context)).has(id) ? name : null),
  };
}

/** What both of two moments need: neither brings along what only the other does. */
function forBoth(name: string, one: readonly string[], other: readonly string[]): Group {
  let needed: Set<string> | null = null;
  return {
    debugName: name,
    name: (id, context) =>
      (needed ??= importedBy(one, context).intersection(importedBy(other, context))).has(id) ? name : null,
  };
}

/** The style sheets that at least two of some moments need. */
function styleSheets(name: string, moments: readonly (readonly string[])[]): Group {
  let needed: Set<string>[] | null = null;
  const isShared = (id: string, context: Context) =>
    (needed ??= moments.map((entries) => importedBy(entries, context))).filter((each) => each.has(id))
      .length > 1;
  return {
    debugName: name,
    name: (id, context) => (id.endsWith('.css') && isShared(id, context) ? name : null),
  };
}

const inOrder = (groups: Group[]): Group[] =>
  groups.map((group, index) => ({ ...group, priority: groups.length - index }));

const aria =
  /[\\/]node_modules[\\/](react-aria|react-stately|react-aria-components|@react-(aria|stately|types)|@internationalized)[\\/]/;
const feature = (name: string) => new RegExp(String.raw`[\\/]src[\\/]web[\\/]features[\\/]${name}[\\/]`);

/** Below the recorder, and the first thing that any other page shows. */
const recent = ['features/library/screen/recent-recordings.tsx'];
/** From Record to Stop. */
const take = [
  'features/recorder/take-parts.ts',
  'features/recorder/screen/take-bar.tsx',
  'features/recorder/capture/capture-session.ts',
  'features/recorder/notices/take-followers.ts',
  'features/recorder/recovery/follow-takes.ts',
  'features/recorder/notices/report-discarded.ts',
  'api/live-events.ts',
  'offline/start-offline.ts',
  'ui/focus/restore-lost-focus.ts',
];
/** What may open over every page. */
const overlays = [
  'app/lazy-overlays.tsx',
  'features/player/controls/mini-player.tsx',
  'features/imports/screen/import-overlays.tsx',
  'app/layout/language-popover.tsx',
  'ui/overlays/dialog-frame.tsx',
  'ui/overlays/menu-popover.tsx',
  'ui/overlays/toast-list.tsx',
];
/** The two pages that are mostly come to from outside. */
const library = ['app/pages/library-page.tsx'];
const player = ['app/pages/player-page.tsx'];
const trash = ['app/pages/trash-page.tsx'];

/**
 * Which modules share a file. Left alone, the bundler makes one of every few lines that two pages share: a
 * hundred requests, which a browser sends six at a time. Here each file holds what is needed at one moment;
 * as a moment's file takes all that its parts import and no earlier one has, it leads to earlier files only.
 * What one page alone needs stays with that page.
 */
export const chunkGroups: Group[] = inOrder([
  // What makes the page's picture a page, and the one thing that runs before it is painted.
  pageItself('boot'),
  // What the first screen needs, in three files beside one another: while connections are young, each comes
  // at a pace of its own.
  {
    name: 'react',
    test: /[\\/]node_modules[\\/](react|react-dom|scheduler)[\\/]|[\\/]app[\\/]prerender[\\/]react\.ts$/,
  },
  { name: 'libraries', tags: ['$initial'], test: /[\\/]node_modules[\\/]/ },
  // All that the first screen needs.
  { name: 'first', tags: ['$initial'] },
  { name: 'icons', test: namesAll },
  // Pictures of pages wait for their style sheets, and a browser asks for six files at a time: one is better
  // than five.
  styleSheets('styles', [recent, library, player, trash, overlays]),
  together('recent', recent),
  forBoth('basis', take, [...library, ...player]),
  together('take', take),
  forBoth('pages', library, player),
  forBoth('importing', library, overlays),
  forBoth('playing', player, overlays),
  together('overlays', overlays),
  { name: 'controls', test: aria, minShareCount: 2 },
  { name: 'accounts', test: feature('accounts'), minShareCount: 2 },
  // The list of recordings, with what other lists and windows have of it.
  { ...together('lists', library), minShareCount: 2 },
  { name: 'shared', minShareCount: 2 },
]);
