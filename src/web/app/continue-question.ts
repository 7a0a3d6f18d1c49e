import type { Share } from '#contract/shares.ts';
import { newId } from '#device/new-id.ts';
import { changeTake } from '#device/takes/takes-store.ts';
import { queryClient } from '#web/api/queries/query-client.ts';
import { sessionState } from '#web/api/session-state.ts';
import { userScope } from '#web/api/user-scope.ts';
import { recorder } from '#web/features/recorder/recorder.ts';
import type { ContinuedTake } from '#web/features/recorder/continue-take.ts';
import { changeLink } from '#web/features/sharing/links/share-calls.ts';
import { activeLinks } from '#web/recordings/on-air/active-links.ts';
import { linksThatContinue } from '#web/recordings/on-air/links-that-continue.ts';
import { linksFrom } from '#web/recordings/on-air/on-air.ts';

/** A shared take that is to be continued. */
export interface ContinueQuestion {
  take: ContinuedTake & { lengthMs: number };
  links: readonly Share[];
}

/** The question that is open; null for none. */
export const continueQuestion = userScope.createStore<ContinueQuestion | null>(null);

/** How long the press waits for the links if this page doesn't know them yet. */
const maxWaitMs = 2000;

/** The links of the user; null if they are not known. */
async function knownLinks(): Promise<readonly Share[] | null> {
  if (sessionState.getSnapshot().status !== 'signed-in') return null;
  const known = queryClient.getQueryData(activeLinks.queryKey);
  if (known) return known.items;
  const tooLate = new Promise<null>((resolve) => {
    setTimeout(() => resolve(null), maxWaitMs);
  });
  const read = queryClient.fetchQuery(activeLinks).then(
    ({ items }) => items,
    () => null,
  );
  return Promise.race([read, tooLate]);
}

/**
 * Continues a take, after the question whether listeners hear the new part if links play it. Where the links are not
 * known, the server ends their part where the recording ended.
 */
export async function continueAfterQuestion(take: ContinuedTake): Promise<void> {
  const { id, lengthMs } = take;
  const all = await knownLinks();
  const links = all === null ? [] : linksFrom(all, id, { atMs: lengthMs ?? 0, nowMs: Date.now() });
  if (links.length > 0 && lengthMs !== null) continueQuestion.set({ take: { id, lengthMs }, links });
  else await recorder.continueTake(id);
}

/** Continues a take whose links play the new part too. */
export async function continueForListeners({ take: { id } }: ContinueQuestion): Promise<void> {
  linksThatContinue.set(new Set([...linksThatContinue.getSnapshot(), id]));
  continueQuestion.set(null);
  await recorder.continueTake(id);
}

/**
 * Ends the part of every link where the take ends, and then continues it.
 * @throws ApiError if a link could not be changed; nothing is recorded then
 */
export async function continueWithoutListeners({ take, links }: ContinueQuestion): Promise<void> {
  for (const link of links) await changeLink(link, { toMs: Math.floor(take.lengthMs) });
  continueQuestion.set(null);
  await recorder.continueTake(take.id);
}

/**
 * Continues a take that is muted for listeners from its first moment on. Needs no server: until it has confirmed that,
 * nothing is sent.
 */
export async function continueMuted({ take: { id, lengthMs } }: ContinueQuestion): Promise<void> {
  const passage = { id: newId(), atMs: Math.floor(lengthMs), toMs: null, stored: null };
  await changeTake(id, (record) => ({ ...record, passages: [...(record.passages ?? []), passage] }));
  continueQuestion.set(null);
  await recorder.continueTake(id);
}
