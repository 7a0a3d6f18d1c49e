import { join } from 'node:path';
import type { Rolldown } from 'vite';

type Group = Rolldown.CodeSplittingGroup;
type Context = Rolldown.ChunkingContext;

const web = join(import.meta.dirname, '..', 'src', 'web');
/** A module that exports every icon does not show which of them are used. */
const namesAll = /[\\/]node_modules[\\/]lucide-react[\\/]/;

/** Returns everything that some modules import statically, including themselves. */
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

/** The page, whose script runs before the app. */
const page = 'index.html';
/** Loaded beside that script on pages that show a user's recordings before the app runs. */
const filling = ['app/prerender/fill-picture.ts'];
const app = ['app/main.tsx'];

/** Groups modules of the page itself. The prerender build has no page (prerendered-pages.ts). */
function inPage(name: string, modules: (context: Context) => Set<string>): Group {
  let needed: Set<string> | null = null;
  return {
    debugName: name,
    name: (id, context) =>
      context.getModuleInfo(join(web, page)) && (needed ??= modules(context)).has(id) ? name : null,
  };
}

/**
 * Groups the page with everything that runs before the app, and with what filling it shares with the app, so that
 * filling waits for this file only.
 */
const pageItself = (name: string): Group =>
  inPage(name, (context) =>
    importedBy([page], context).union(importedBy(filling, context).intersection(importedBy(app, context))),
  );

/**
 * Groups everything that some parts of the app need and no earlier group contains. An import of one of them is
 * usually followed by the others.
 */
function together(name: string, entries: readonly string[]): Group {
  let needed: Set<string> | null = null;
  return {
    debugName: name,
    name: (id, context) => ((needed ??= importedBy(entries, context)).has(id) ? name : null),
  };
}

/** Groups the modules that two sets of entries share, so that neither loads the other's modules. */
function forBoth(name: string, one: readonly string[], other: readonly string[]): Group {
  let needed: Set<string> | null = null;
  return {
    debugName: name,
    name: (id, context) =>
      (needed ??= importedBy(one, context).intersection(importedBy(other, context))).has(id) ? name : null,
  };
}

/** Groups the style sheets that at least two sets of entries share. */
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

/** Shown below the recorder, and first on every other page. */
const recent = ['features/library/screen/recent-recordings.tsx'];
/** Loaded with every page, and on the first screen when it is idle. */
const everyPage = ['ui/focus/restore-lost-focus.ts'];
/** Needed from Record to Stop. */
const take = [
  'features/recorder/take-parts.ts',
  'features/recorder/screen/take-bar.tsx',
  'features/recorder/page-recorder.ts',
  'features/recorder/notices/take-followers.ts',
  'features/recorder/recovery/follow-takes.ts',
  'features/recorder/notices/report-discarded.ts',
  'api/live-events.ts',
  'offline/start-offline.ts',
  ...everyPage,
];
/** Overlays that can open on every page. */
const overlays = [
  'app/lazy-overlays.tsx',
  'features/player/controls/mini-player.tsx',
  'features/imports/screen/import-overlays.tsx',
  'app/layout/language-popover.tsx',
  'ui/overlays/dialog-frame.tsx',
  'ui/overlays/menu-popover.tsx',
  'ui/overlays/toast-list.tsx',
];
/** The two pages that are opened from outside most often. */
const library = ['app/pages/library-page.tsx'];
const player = ['app/pages/player-page.tsx'];
const trash = ['app/pages/trash-page.tsx'];

/**
 * Assigns modules to files. By default the bundler makes a file of every few lines that two pages share: a hundred
 * requests, of which a browser sends six at a time. Here each file contains what is needed at one moment. A group
 * contains all its imports that no earlier group has, so it depends on earlier files only. Modules of a single
 * page stay with that page.
 */
export const chunkGroups: Group[] = inOrder([
  // The page's own script (prerender/boot.ts), the only one that runs before the first paint.
  pageItself('boot'),
  inPage('filling', (context) => importedBy(filling, context)),
  // The first screen's modules, in three files that load in parallel, because each new connection starts slowly.
  {
    name: 'react',
    test: /[\\/]node_modules[\\/](react|react-dom|scheduler)[\\/]|[\\/]app[\\/]prerender[\\/]react\.ts$/,
  },
  { name: 'libraries', tags: ['$initial'], test: /[\\/]node_modules[\\/]/ },
  // Everything else that the first screen needs.
  { name: 'first', tags: ['$initial'] },
  { name: 'icons', test: namesAll },
  // Prerendered pages wait for their style sheets, and a browser requests six files at a time, so one file is
  // better than five.
  styleSheets('styles', [recent, library, player, trash, overlays]),
  together('recent', recent),
  forBoth('basis', take, [...library, ...player, ...everyPage]),
  together('take', take),
  forBoth('pages', library, player),
  forBoth('importing', library, overlays),
  forBoth('playing', player, overlays),
  together('overlays', overlays),
  { name: 'controls', test: aria, minShareCount: 2 },
  { name: 'accounts', test: feature('accounts'), minShareCount: 2 },
  // The list of recordings, with the parts that other lists and windows share.
  { ...together('lists', library), minShareCount: 2 },
  { name: 'shared', minShareCount: 2 },
]);
