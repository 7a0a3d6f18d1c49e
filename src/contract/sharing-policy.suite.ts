import type { SharingPolicy } from './shares.ts';

/** The rules of a new installation, for tests. */
export const openPolicy: SharingPolicy = {
  links: 'on',
  longestDays: 365,
  defaultDays: 30,
  isPasswordRequired: false,
  mayDownload: true,
  mayDownloadOriginal: true,
  mayEmbed: true,
  mayPreview: true,
  mayGoLive: true,
};
