import { useMemo } from 'react';
import { msg } from '@lingui/core/macro';
import { useQuery } from '@tanstack/react-query';
import type { Tag } from '#contract/library-api.ts';
import { call } from '#web/api/call.ts';
import { recordingKeys } from '#web/api/queries/query-client.ts';

const none: readonly Tag[] = [];
export const tagsKey = [...recordingKeys.library, 'tags'] as const;

/** The user's tags, by name; empty while `isEnabled` is false. */
export function useTags(isEnabled: boolean): { tags: readonly Tag[]; tagsById: ReadonlyMap<string, Tag> } {
  const { data } = useQuery({
    queryKey: tagsKey,
    queryFn: async ({ signal }) => (await call('listTags', { signal })).items,
    enabled: isEnabled,
    meta: { what: msg`Tags` },
  });
  const tags = isEnabled ? (data ?? none) : none;
  const tagsById = useMemo(() => new Map(tags.map((tag) => [tag.id, tag])), [tags]);
  return { tags, tagsById };
}
