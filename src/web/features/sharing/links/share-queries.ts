import { msg } from '@lingui/core/macro';
import { queryOptions } from '@tanstack/react-query';
import type { Api } from '#contract/api.ts';
import type { ReplyOf } from '#contract/endpoint.ts';
import { call } from '#web/api/call.ts';
import { shareKeys } from '#web/api/queries/query-client.ts';

/** Links, with the rules of the server. */
export type Links = ReplyOf<Api['listShares']>;

/** The links of one recording, ended ones too. */
export const linksOfRecording = (recordingId: string) =>
  queryOptions({
    queryKey: shareKeys.ofRecording(recordingId),
    queryFn: ({ signal }) => call('listShares', { params: { recordingId }, signal }),
    meta: { what: msg`Links` },
  });

/** How often a link was used on a day. */
export type DayCount = ReplyOf<Api['listShareDays']>['items'][number];

/** How often a link was used on each day, oldest first. */
export const daysOfLink = (shareId: string) =>
  queryOptions({
    queryKey: [...shareKeys.everything, 'days', shareId],
    queryFn: ({ signal }) => call('listShareDays', { params: { shareId }, signal }),
    meta: { what: msg`Links` },
  });

/** All links of the user, ended ones too. */
export const allLinks = queryOptions({
  queryKey: shareKeys.all,
  queryFn: ({ signal }) => call('listAllShares', { signal }),
  meta: { what: msg`Links` },
});
