import type { ShareRow } from '#server/storage/database/share-tables.ts';

export interface LinkOrigins {
  /** The configured address of this server. An address is never taken from a request. */
  publicUrl: string;
  /** The configured address of links; null if they have that of the server. */
  shareUrl: string | null;
}

/** Sessions do not travel to another origin, so a link that needs one stays on that of the server. */
export const linkOriginOf = (
  { publicUrl, shareUrl }: LinkOrigins,
  { audience }: Pick<ShareRow, 'audience'>,
): string => (audience === 'anyone' ? (shareUrl ?? publicUrl) : publicUrl);
