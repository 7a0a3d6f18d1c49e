/** Why bytes flow to the server or do not. */
export type UploadCondition =
  | 'unattached'
  | 'syncing'
  | 'idle'
  | 'offline'
  | 'gate-closed'
  | 'server-full'
  | 'server-trouble'
  | 'capability-refused';

/** The first of these that is true of an upload is what its user has to know. */
const errors = [
  'unattached',
  'capability-refused',
  'offline',
  'gate-closed',
  'server-full',
  'server-trouble',
] as const satisfies readonly UploadCondition[];

/** The worst error of an upload that consists of several sequences of calls; null when there is none. */
export const worstError = (conditions: readonly (UploadCondition | null)[]): UploadCondition | null =>
  errors.find((failure) => conditions.includes(failure)) ?? null;
