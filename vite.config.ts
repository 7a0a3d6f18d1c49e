import { lingui, linguiTransformerBabelPreset } from '@lingui/vite-plugin';
import optimizeLocales from '@react-aria/optimize-locales-plugin';
import babel from '@rolldown/plugin-babel';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

export default defineConfig({
  root: 'src/web',
  publicDir: 'public',
  build: {
    outDir: '../../dist/web', emptyOutDir: true, target: 'es2023', sourcemap: false, assetsInlineLimit: 0, manifest: true,
    // One file for all that the first screen needs: fewer requests, better compression.
    rolldownOptions: { output: { codeSplitting: { groups: [{ name: 'first', tags: ['$initial'] }] } } },
  },
  worker: { format: 'es' },
  plugins: [
    react(),
    babel({ presets: [linguiTransformerBabelPreset()] }),
    lingui({ failOnCompileError: true }),
    // React Aria's own strings are loaded one language at a time, see src/web/i18n/.
    { ...optimizeLocales.vite({ locales: [] }), enforce: 'pre' },
  ],
});
