import type { Share } from '#contract/shares.ts';

/** How the links of a user are grouped. */
export type LinkGrouping = 'recording' | 'recipient';

/** Links under one heading. */
export interface LinkGroup {
  key: string;
  links: readonly Share[];
}

const hasEnded = ({ state }: Share): boolean => state !== 'active';

/**
 * The links by recording or by recipient. Groups follow their newest link; in a group, links that work come before
 * those that don't. Links without a recipient come last.
 */
export function groupLinks(links: readonly Share[], by: LinkGrouping): LinkGroup[] {
  const keyOf = ({ recordingId, recipientLabel }: Share) =>
    by === 'recording' ? recordingId : recipientLabel;
  const newestFirst = links.toSorted((a, b) => b.createdAt.localeCompare(a.createdAt));
  return [...Map.groupBy(newestFirst, keyOf)]
    .map(([key, group]) => ({
      key,
      links: group.toSorted((a, b) => Number(hasEnded(a)) - Number(hasEnded(b))),
    }))
    .toSorted((a, b) => Number(a.key === '') - Number(b.key === ''));
}
