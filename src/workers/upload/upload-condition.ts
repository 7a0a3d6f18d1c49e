/** Why bytes flow to the server or do not. */
export type UploadCondition = 'unattached' | 'syncing' | 'idle' | 'offline' | 'gate-closed' | 'server-full' | 'server-trouble' | 'capability-refused';
