import { defineConfig } from '@lingui/conf';
import { formatter } from '@lingui/format-po';
import { locales } from '#contract/locales.ts';

export default defineConfig({
  sourceLocale: 'en',
  locales: locales.map(({ tag }) => tag),
  catalogs: [
    {
      path: '<rootDir>/locales/{locale}',
      include: ['<rootDir>/src/web', '<rootDir>/src/server'],
      exclude: ['**/*.test.*', '<rootDir>/src/web/dev/**'],
    },
  ],
  format: formatter({ lineNumbers: false, origins: true }),
  orderBy: 'origin',
});
