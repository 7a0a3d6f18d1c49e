/** The query keys of the user's account and, for administrators, of the installation. */
export const accountKeys = {
  identities: ['account', 'identities'],
  passkeys: ['account', 'passkeys'],
  devices: ['account', 'devices'],
  history: ['account', 'history'],
  deletion: ['account', 'deletion'],
  people: ['admin', 'people'],
  installation: ['admin', 'installation'],
  status: ['admin', 'status'],
  providerSettings: ['admin', 'providers'],
  sharing: ['admin', 'sharing'],
  linksOfEveryone: ['admin', 'links'],
} as const;
