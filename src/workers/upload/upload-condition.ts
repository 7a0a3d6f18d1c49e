/** The state of an upload, or why it waits. */
export type UploadCondition =
  | 'unattached'
  | 'syncing'
  | 'idle'
  | 'offline'
  | 'gate-closed'
  | 'server-full'
  | 'over-quota'
  /** The server reads no audio in the bytes. */
  | 'not-audio'
  | 'server-trouble'
  | 'capability-rejected';

/** By priority: the first of these that applies is shown to the user. */
const errors = [
  'unattached',
  'not-audio',
  'capability-rejected',
  'offline',
  'gate-closed',
  'server-full',
  'over-quota',
  'server-trouble',
] as const satisfies readonly UploadCondition[];

/** The most important error among several sequences of requests; null if there is none. */
export const worstError = (conditions: readonly (UploadCondition | null)[]): UploadCondition | null =>
  errors.find((failure) => conditions.includes(failure)) ?? null;
