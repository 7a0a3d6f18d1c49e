import { recordingKeys } from '#web/api/queries/query-client.ts';

/** The query keys of the user's account and, for administrators, of the installation. */
export const accountKeys = {
  identities: ['account', 'identities'],
  passkeys: ['account', 'passkeys'],
  devices: ['account', 'devices'],
  history: ['account', 'history'],
  deletion: [...recordingKeys.lists, 'deletion'],
  people: ['admin', 'people'],
  missingQuotas: ['admin', 'missing-quotas'],
  installation: ['admin', 'installation'],
  status: ['admin', 'status'],
  providerSettings: ['admin', 'providers'],
  sharing: ['admin', 'sharing'],
  transcripts: ['admin', 'transcripts'],
  linksOfEveryone: ['admin', 'links'],
} as const;
