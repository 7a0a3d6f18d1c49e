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
const troubles = [
  'unattached',
  'capability-refused',
  'offline',
  'gate-closed',
  'server-full',
  'server-trouble',
] as const satisfies readonly UploadCondition[];

/**
 * What is wrong with an upload of several lines of calls: the worst of their troubles; null where nothing is.
 */
export const worstError = (conditions: readonly (UploadCondition | null)[]): UploadCondition | null =>
  troubles.find((trouble) => conditions.includes(trouble)) ?? null;
