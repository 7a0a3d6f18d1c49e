import type { UploadCondition } from './upload-condition.ts';

/** Every condition of an upload. */
export const uploadConditions: readonly UploadCondition[] = [
  'unattached',
  'syncing',
  'idle',
  'offline',
  'gate-closed',
  'server-full',
  'over-quota',
  'not-audio',
  'server-trouble',
  'capability-rejected',
];
