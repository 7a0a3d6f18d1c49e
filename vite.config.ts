import { readFileSync } from 'node:fs';
import { lingui, linguiTransformerBabelPreset } from '@lingui/vite-plugin';
import optimizeLocales from '@react-aria/optimize-locales-plugin';
import babel from '@rolldown/plugin-babel';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';
import { VitePWA } from 'vite-plugin-pwa';
import { catalogueParts } from './scripts/catalogue/catalogue-parts.ts';
import { chunkGroups } from './scripts/chunk-groups.ts';
import { locales } from '#contract/locales.ts';
import { picturesPath } from '#contract/page-pictures.ts';

/**
 * What only one language needs has a folder of its own: the service worker keeps the languages that are used.
 */
const languageModule = /\/(?:locales|react-aria-components\/i18n)\/([\w-]+)\.(?:po|mjs)(?:\?(\w+))?/;

/** ar.po?first?lingui is named ar-first. */
function chunkName(module: string | null): string {
  const [, tag, part] = languageModule.exec(module ?? '') ?? [];
  return tag === undefined
    ? 'assets/[name]-[hash].js'
    : `assets/language/${part ? `${tag}-${part}` : tag}-[hash].js`;
}

/**
 * What is seen can be pressed: the page is painted once its first file, a small one, remembers what is
 * pressed (HTML, `blocking=render`).
 */
const firstFileBeforePaint: Plugin = {
  name: 'first-file-before-paint',
  transformIndexHtml: {
    order: 'post',
    handler: (html) => html.replace('<script type="module"', '<script type="module" blocking="render"'),
  },
};

/**
 * The icon's 274 bytes come with the page: as a file it is asked for among the first six, before the program.
 */
const iconInPage: Plugin = {
  name: 'icon-in-page',
  apply: 'build',
  transformIndexHtml: {
    order: 'post',
    handler: (html) =>
      html.replace(
        'href="/icon.svg"',
        `href="data:image/svg+xml,${encodeURIComponent(readFileSync('src/web/public/icon.svg', 'utf8'))}"`,
      ),
  },
};

export default defineConfig({
  root: 'src/web',
  publicDir: 'public',
  build: {
    outDir: '../../dist/web',
    emptyOutDir: true,
    target: 'es2023',
    sourcemap: false,
    assetsInlineLimit: 0,
    manifest: true,
    // The largest is the converter, which nobody fetches before converting something.
    chunkSizeWarningLimit: 700,
    rolldownOptions: {
      // The app's first file is fetched with the page and run after it is painted (app/prerender/boot.ts).
      input: ['src/web/index.html', 'src/web/app/main.tsx', 'src/web/app/prerender/react.ts'],
      // Whoever starts the app is told its address, not how long its parts took to build. Files are cut by
      // chunkGroups alone.
      checks: { bundlerTimings: false, ineffectiveDynamicImport: false },
      output: {
        codeSplitting: { groups: chunkGroups },
        chunkFileNames: ({ facadeModuleId }) => chunkName(facadeModuleId),
      },
    },
  },
  worker: { format: 'es' },
  plugins: [
    react(),
    babel({ presets: [linguiTransformerBabelPreset()] }),
    lingui({ failOnCompileError: true }),
    catalogueParts(),
    firstFileBeforePaint,
    iconInPage,
    // React Aria's own strings are loaded one language at a time, see src/web/i18n/.
    { ...optimizeLocales.vite({ locales: [] }), enforce: 'pre' },
    VitePWA({
      strategies: 'injectManifest',
      registerType: 'prompt',
      injectRegister: false,
      manifest: false,
      srcDir: '../workers/service-worker',
      filename: 'service.worker.ts',
      integration: {
        configureCustomSWViteBuild: (options) => {
          options.logLevel = 'warn';
        },
      },
      injectManifest: {
        rollupFormat: 'iife',
        globPatterns: ['index.html', 'assets/**/*.{js,css}', 'icon.svg', 'manifest.webmanifest'],
        dontCacheBustURLsMatching: /^assets\//,
        // The page is kept in the form the server gives to be kept, with its policy and without anybody's
        // language; beside it the pictures that go into it. A new build names other files in its page, so all
        // of them have its revision.
        manifestTransforms: [
          (entries) => ({
            manifest: entries.flatMap((entry) =>
              entry.url === 'index.html'
                ? ['/app-shell', ...locales.map(({ tag }) => `${picturesPath}${tag}`)].map((url) => ({
                    ...entry,
                    url,
                  }))
                : [entry],
            ),
            warnings: [],
          }),
        ],
      },
    }),
  ],
});
