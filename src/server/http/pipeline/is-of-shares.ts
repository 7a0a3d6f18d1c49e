import type { Access, ShareAccess } from '#contract/endpoint.ts';

/** Whether an endpoint is below a share's address. */
export const isOfShares = (access: Access): access is ShareAccess =>
  access === 'share' || access === 'share-locked' || access === 'share-outsider';
