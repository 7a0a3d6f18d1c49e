interface PageKind {
  /** The page's name in the app (`lazyPages`) and of its prerendered HTML. */
  name: string;
  address: RegExp;
  /** The URL at which the page is prerendered, for all URLs of this kind. */
  example: string;
  /** The module that renders the page; null if it is the app's entry chunk. */
  module: string | null;
  /** The parts of the catalogue that the page's chunks wait for (catalogue-parts.ts). */
  messageParts: readonly string[];
  /** Set if the page's first script fills the prerendered HTML with the user's recordings. */
  isFilled?: true;
}

/** The module that fills prerendered HTML with the user's recordings. */
export const fillingModule = 'app/prerender/fill-picture.ts';

/** The pages that are prerendered, and whose chunks are preloaded. */
export const pageKinds: readonly PageKind[] = [
  { name: 'record', address: /^\/$/, example: '/', module: null, messageParts: [] },
  {
    name: 'library',
    address: /^\/library\/?$/,
    example: '/library',
    module: 'app/pages/library-page.tsx',
    messageParts: ['library', 'rest'],
    isFilled: true,
  },
  {
    name: 'player',
    address: /^\/recordings\/[^/]+$/,
    example: '/recordings/0',
    module: 'app/pages/player-page.tsx',
    messageParts: ['library', 'player', 'rest'],
    isFilled: true,
  },
  {
    name: 'shared',
    address: /^\/shared\/?$/,
    example: '/shared',
    module: 'app/pages/shared-page.tsx',
    messageParts: ['sharing', 'rest'],
  },
  {
    name: 'trash',
    address: /^\/trash\/?$/,
    example: '/trash',
    module: 'app/pages/trash-page.tsx',
    messageParts: ['library', 'rest'],
  },
  {
    name: 'settings',
    address: /^\/settings(\/|$)/,
    example: '/settings',
    module: 'app/pages/settings-page.tsx',
    messageParts: ['rest', 'recorder', 'library', 'accounts'],
  },
  {
    name: 'signIn',
    address: /^\/sign-in\/?$/,
    example: '/sign-in',
    module: 'app/pages/account-pages.tsx',
    messageParts: ['accounts', 'rest'],
  },
  {
    name: 'signUp',
    address: /^\/sign-up\/?$/,
    example: '/sign-up',
    module: 'app/pages/account-pages.tsx',
    messageParts: ['accounts', 'rest'],
  },
];
