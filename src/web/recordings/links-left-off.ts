import { i18n } from '@lingui/core';
import { msg, plural } from '@lingui/core/macro';
import type { Api } from '#contract/api.ts';
import type { ReplyOf } from '#contract/endpoint.ts';
import type { Share } from '#contract/shares.ts';
import { answerOrError } from '#web/api/api-error.ts';
import { call, urlOf } from '#web/api/call.ts';
import { messageOf } from '#web/api/error-messages.ts';
import { queryClient, shareKeys } from '#web/api/queries/query-client.ts';
import { readAgain } from '#web/api/queries/optimistic-change.ts';
import { requestWithoutHold } from '#web/api/request.ts';
import { userScope } from '#web/api/user-scope.ts';
import { showFailure, showToast } from '#web/ui/overlays/toast.tsx';

/**
 * The links to some recordings that a restore from the trash left off. Empty if the server can't be asked: they are
 * off either way, and the restore does not wait for a sign-in.
 */
async function linksLeftOff(recordingIds: readonly string[]): Promise<Share[]> {
  if (userScope.userId === null) return [];
  const address = urlOf('listAllShares', { query: { state: 'suspended' } });
  try {
    const { items } = await answerOrError(async (): Promise<ReplyOf<Api['listAllShares']>> =>
      (await answerOrError(() => requestWithoutHold(address))).json(),
    );
    const chosen = new Set(recordingIds);
    return items.filter((share) => share.suspendedBy === 'restore' && chosen.has(share.recordingId));
  } catch {
    return [];
  }
}

async function turnOn(links: readonly Share[]): Promise<void> {
  const count = links.length;
  try {
    for (const { id, revision } of links)
      await call('changeShare', { params: { shareId: id }, body: { revision, isOn: true } });
    showToast({
      message: () => i18n._(msg`${plural(count, { one: '# link turned on', other: '# links turned on' })}`),
      tone: 'success',
    });
  } catch (error) {
    showFailure(() => i18n._(messageOf(error)));
  } finally {
    readAgain(queryClient, shareKeys.everything);
  }
}

/** Says which links to restored recordings are off, and offers to turn them on. */
export async function reportLinksLeftOff(recordingIds: readonly string[]): Promise<void> {
  const links = await linksLeftOff(recordingIds);
  if (links.length === 0) return;
  showToast({
    message: () =>
      i18n._(
        msg`${plural(links.length, {
          one: '# link is off, because its recording was in the trash.',
          other: '# links are off, because their recordings were in the trash.',
        })}`,
      ),
    ...(recordingIds.length === 1 && { about: recordingIds[0] }),
    action: {
      label: () => i18n._(msg`Turn on`),
      onAction: () => void turnOn(links),
    },
  });
}
