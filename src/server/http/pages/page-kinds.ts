interface PageKind {
  /** As the app calls the page (`deferredPages` of the web app), and as its picture is called. */
  name: string;
  address: RegExp;
  /** The address at which its picture is drawn; it stands for all of the kind. */
  example: string;
  /** What shows the page; null: the app's first file does. */
  module: string | null;
  /** Which parts of the catalogue it says. */
  words: readonly string[];
}

/** The pages whose files begin to load with them, and that come with a picture of themselves. */
export const pageKinds: readonly PageKind[] = [
  { name: 'record', address: /^\/$/, example: '/', module: null, words: [] },
  {
    name: 'library',
    address: /^\/library\/?$/,
    example: '/library',
    module: 'app/pages/library-page.tsx',
    words: ['library'],
  },
  {
    name: 'player',
    address: /^\/recordings\/[^/]+$/,
    example: '/recordings/0',
    module: 'app/pages/player-page.tsx',
    words: ['library', 'player'],
  },
  {
    name: 'trash',
    address: /^\/trash\/?$/,
    example: '/trash',
    module: 'app/pages/trash-page.tsx',
    words: ['library'],
  },
  {
    name: 'settings',
    address: /^\/settings(\/|$)/,
    example: '/settings',
    module: 'app/pages/settings-page.tsx',
    words: ['rest', 'recorder', 'library', 'accounts'],
  },
  {
    name: 'signIn',
    address: /^\/sign-in\/?$/,
    example: '/sign-in',
    module: 'app/pages/account-pages.tsx',
    words: ['accounts'],
  },
  {
    name: 'signUp',
    address: /^\/sign-up\/?$/,
    example: '/sign-up',
    module: 'app/pages/account-pages.tsx',
    words: ['accounts'],
  },
];
