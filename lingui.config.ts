import { defineConfig } from '@lingui/conf';
import { formatter } from '@lingui/format-po';

export default defineConfig({
  sourceLocale: 'en',
  locales: ['en', 'de', 'ar'],
  catalogs: [{ path: '<rootDir>/locales/{locale}', include: ['<rootDir>/src/web'], exclude: ['**/*.test.*'] }],
  format: formatter({ lineNumbers: false, origins: true }),
  orderBy: 'origin',
});
