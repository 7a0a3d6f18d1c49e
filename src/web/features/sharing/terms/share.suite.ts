import type { Share, SharingPolicy } from '#contract/shares.ts';

/** A link with the safe defaults, for tests. */
export const shareFor = (facts: Partial<Share> = {}): Share => ({
  id: '0198f0aa-0000-7000-8000-000000000001',
  recordingId: '0198f0aa-0000-7000-8000-0000000000aa',
  recordingTitle: 'Seminar',
  url: 'https://earshot.example/s/9A8B7C6D5E4F3G2H1J9A8B',
  audience: 'anyone',
  people: [],
  title: null,
  message: '',
  fromMs: 0,
  toMs: null,
  shows: { title: true, owner: true, date: false, markers: false, notes: false, gaps: false },
  download: 'off',
  expiresAt: '2026-12-24T12:00:00.000Z',
  maxListens: null,
  live: null,
  embed: null,
  preview: 'none',
  recipientLabel: '',
  hasPassword: false,
  isPasswordLocked: false,
  isReleased: false,
  state: 'active',
  suspendedBy: null,
  openCount: 0,
  listenCount: 0,
  lastListenedAt: null,
  createdAt: '2026-11-24T12:00:00.000Z',
  updatedAt: '2026-11-24T12:00:00.000Z',
  endedAt: null,
  revision: 1,
  ...facts,
});

/** The rules of a new installation. */
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
