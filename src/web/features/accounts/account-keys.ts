/** The keys of what is cached about one's own account and, for admins, about the server's. */
export const accountKeys = {
  identities: ['account', 'identities'],
  passkeys: ['account', 'passkeys'],
  devices: ['account', 'devices'],
  history: ['account', 'history'],
  deletion: ['account', 'deletion'],
  people: ['admin', 'people'],
  installation: ['admin', 'installation'],
  providerSettings: ['admin', 'providers'],
} as const;
