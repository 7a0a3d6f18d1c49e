import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { lingui, linguiTransformerBabelPreset } from '@lingui/vite-plugin';
import optimizeLocales from '@react-aria/optimize-locales-plugin';
import babel from '@rolldown/plugin-babel';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';
import { VitePWA } from 'vite-plugin-pwa';
import { catalogueParts } from './scripts/catalogue/catalogue-parts.ts';
import { chunkGroups } from './scripts/chunk-groups.ts';
import { initialParts } from './scripts/initial-parts.ts';
import { locales } from '#contract/locales.ts';
import { picturesPath } from '#contract/page-pictures.ts';

/** Files of one language are in a folder of their own, because the service worker caches the languages in use. */
const languageModule = /\/(?:locales|react-aria-components\/i18n)\/([\w-]+)\.(?:po|mjs)(?:\?(\w+))?/;

/** The chunk of `ar.po?first?lingui` is named `ar-first`. */
function chunkName(module: string | null): string {
  const [, tag, part] = languageModule.exec(module ?? '') ?? [];
  return tag === undefined
    ? 'assets/[name]-[hash].js'
    : `assets/language/${part ? `${tag}-${part}` : tag}-[hash].js`;
}

/**
 * Delays the first paint until the first script, which is small, records presses, so that everything visible can be
 * pressed (HTML, `blocking=render`).
 */
const firstFileBeforePaint: Plugin = {
  name: 'first-file-before-paint',
  transformIndexHtml: {
    order: 'post',
    handler: (html) => html.replace('<script type="module"', '<script type="module" blocking="render"'),
  },
};

/** Inlines the icon's 274 bytes: as a file, it would be among the first six requests, before the app's. */
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

/** Loads every lazy chunk with `loadChunk`, which retries, instead of Vite's own helper. */
const retriedChunks: Plugin = {
  name: 'retried-chunks',
  apply: 'build',
  enforce: 'pre',
  load: (id) =>
    id === '\0vite/preload-helper.js'
      ? `export { loadChunk as __vitePreload } from '${join(import.meta.dirname, 'src/web/app/prerender/load-chunk.ts')}';`
      : null,
};

export default defineConfig({
  root: 'src/web',
  publicDir: 'public',
  build: {
    outDir: '../../dist/web',
    emptyOutDir: true,
    target: 'es2023',
    // The build moves them out of the folder that is served (scripts/web-build-process.ts).
    sourcemap: 'hidden',
    assetsInlineLimit: 0,
    // Every browser that runs the app (ES2023) knows modulepreload.
    modulePreload: { polyfill: false },
    manifest: true,
    // The largest chunk is the converter, which is loaded when a user converts a file.
    chunkSizeWarningLimit: 700,
    rolldownOptions: {
      // The entry chunk is loaded with the page and runs after the first paint (app/prerender/boot.ts). An input has
      // its name in the manifest, where the server looks for the files of a page.
      input: [
        'src/web/index.html',
        'src/web/app/main.tsx',
        'src/web/app/prerender/react.ts',
        'src/web/app/prerender/fill-picture.ts',
      ],
      // Timings would hide the address that `npm start` prints. Only chunkGroups splits files.
      checks: { bundlerTimings: false, ineffectiveDynamicImport: false },
      output: {
        codeSplitting: { groups: chunkGroups },
        chunkFileNames: ({ facadeModuleId }) => chunkName(facadeModuleId),
        // A map says where; the text is in the repository.
        sourcemapExcludeSources: true,
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
    retriedChunks,
    initialParts(join(import.meta.dirname, 'src')),
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
        // The service worker caches the page as `/app-shell` returns it, with the page's policy and without a
        // language, and the prerendered pages of all languages. A build names its own files in its page, so all of
        // them get the page's revision.
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
