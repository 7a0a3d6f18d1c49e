import fc from 'fast-check';
import { i18n } from '@lingui/core';
import { I18nProvider } from '@lingui/react';
import type { ReactNode } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { beforeAll, describe, expect, test } from 'vitest';
import { Router } from 'wouter';
import { takeStateOf, takesFor } from '#device/takes/device-take.ts';
import { deviceTakesState } from '#device/takes/device-takes-state.ts';
import { deviceUsageOf, isEmptyUsage } from '#device/takes/device-usage.ts';
import { otherOwnersOf } from '#device/takes/other-owners.ts';
import {
  type LostStanding,
  lostStandingOf,
  type OwnerStandings,
  setOwnerStanding,
} from '#device/takes/owner-standings.ts';
import { isBlocked } from '#device/takes/recording-state.ts';
import { takeRecordFor } from '#device/records/take-record.suite.ts';
import type { Rejection, TakeRecord } from '#device/records/take-record.ts';
import { isVisibleTo, setTabOwner, setViewer, type ViewerFacts } from '#device/takes/viewer.ts';
import { libraryItemsOf } from '#web/features/library/list/library-items.ts';
import { RecordingListItem } from '#web/features/library/list/recording-list-item.tsx';
import { EmptyLibrary, SignedOutNotice } from '#web/features/library/screen/library-states.tsx';
import { StoredTakeItem } from '#web/features/recorder/device-storage/stored-take-item.tsx';
import { stoppedMessage } from '#web/features/recorder/notices/announce-take.ts';
import { SafetyPill, SafetySign } from '#web/features/recorder/notices/safety-pill.tsx';
import { ForeignTakeHint, ForeignTakeTitle } from '#web/features/recorder/screen/foreign-take.tsx';
import { Outcome } from '#web/features/recorder/screen/outcome.tsx';
import { takeBlockReasonOf, takeSafetyOf } from '#web/features/recorder/take/take-safety.ts';
import { takeFor } from '#web/features/recorder/take/take.suite.ts';
import type { Take } from '#web/features/recorder/take/take.ts';
import { viewedTake } from '#web/features/recorder/take/viewed-take.ts';
import { OtherOwnersLines } from '#web/recordings/owners/other-owners.tsx';
import { uploadConditions } from '#workers/upload/upload-condition.suite.ts';
import { StatePill } from './state-pill.tsx';
import { transferIn } from './transfers.ts';

// The rules of “Words of each surface” in docs/specification.md, for every combination of facts and viewer.

const title = 'Interview with the mayor';
const nothing = () => undefined;
const draw = (children: ReactNode): string =>
  renderToStaticMarkup(
    <I18nProvider i18n={i18n}>
      <Router ssrPath="/">{children}</Router>
    </I18nProvider>,
  );

beforeAll(() => i18n.loadAndActivate({ locale: 'en', messages: {} }));

const situations = fc.record({
  ownerId: fc.constantFrom(null, 'ana', 'bob'),
  userId: fc.constantFrom(null, 'ana', 'carl'),
  isTab: fc.boolean(),
  standing: fc.constantFrom<(LostStanding | null)[]>(null, 'deleted', 'disabled'),
  rejection: fc.constantFrom<(Rejection | undefined)[]>(undefined, 'deleted', 'taken', 'finished', 'invalid'),
  hasReceipt: fc.boolean(),
  isRunning: fc.boolean(),
  isTrashed: fc.boolean(),
  condition: fc.constantFrom(...uploadConditions),
  isInMemory: fc.boolean(),
});
type Situation = typeof situations extends fc.Arbitrary<infer T> ? T : never;

const standingsOf = ({ ownerId, standing }: Situation): OwnerStandings =>
  new Map(ownerId === null || standing === null ? [] : [[ownerId, { standing, sinceMs: 0 }]]);

const viewerOf = ({ ownerId, userId, isTab }: Situation): ViewerFacts => ({
  userId,
  tab: { ownerId: isTab ? ownerId : null, takeIds: new Set(isTab ? ['a'] : []) },
});

const recordOf = (situation: Situation): TakeRecord =>
  takeRecordFor({
    id: 'a',
    ownerId: situation.ownerId,
    title,
    state: situation.isRunning ? 'recording' : 'stopped',
    durationMs: 5000,
    sizeBytes: 30_000,
    receiptAtMs: situation.hasReceipt && !situation.isRunning ? 1 : null,
    deletedAtMs: situation.isTrashed ? 1 : null,
    isRejected: situation.rejection !== undefined,
    rejection: situation.rejection,
  });

const takeOf = (situation: Situation): Take =>
  takeFor({
    title,
    ownerId: situation.ownerId,
    progress: { capturedMs: 5000, deviceMs: 5000, serverMs: situation.hasReceipt ? 5000 : 0 },
    condition: situation.condition,
    safety: situation.hasReceipt ? 'server' : 'device',
    storageTarget: situation.isInMemory ? 'memory' : 'disk',
    ...(situation.rejection && { rejection: situation.rejection }),
  });

/** Makes the stores of this page those of the situation. */
function setStores(situation: Situation): void {
  const standings = standingsOf(situation);
  const viewer = viewerOf(situation);
  for (const ownerId of ['ana', 'bob']) setOwnerStanding(ownerId, lostStandingOf(standings, ownerId), 0);
  setViewer(viewer.userId);
  setTabOwner(viewer.tab?.ownerId ?? null);
  deviceTakesState.set({
    isLoaded: true,
    takes: takesFor([recordOf(situation)], { ...viewer, heldTakeIds: new Set(), standings }),
    hasOtherOwners: !isVisibleTo(recordOf(situation), viewer),
    others: othersOf(situation),
  });
}

const othersOf = (situation: Situation) =>
  otherOwnersOf([recordOf(situation)], viewerOf(situation), {
    nameOf: () => 'a…@example.org',
    standings: standingsOf(situation),
  });

const stateOf = (situation: Situation) => {
  const viewing = {
    ...viewerOf(situation),
    heldTakeIds: new Set<string>(),
    standings: standingsOf(situation),
  };
  const [take] = takesFor([recordOf(situation)], viewing);
  return take && { take, state: takeStateOf(take, transferIn(situation.condition)) };
};

/** The text of each surface that shows a stopped take to its viewer; empty where the viewer may not see it. */
function surfacesOf(situation: Situation): Record<string, string> {
  setStores(situation);
  const shown = stateOf(situation);
  if (!shown) return {};
  const take = takeOf(situation);
  const blockReason = takeBlockReasonOf(take, standingsOf(situation));
  const safety = takeSafetyOf({ status: 'stopped', ending: 'asked', take }, blockReason);
  const transfers = new Map([['a', transferIn(situation.condition)]]);
  const [row] = libraryItemsOf({
    takes: [shown.take],
    recordings: [],
    transfers,
    search: '',
    isFiltered: false,
    hasServerList: false,
  });
  return {
    card: draw(<Outcome take={take} userId={situation.userId} blockReason={blockReason} />),
    pill: safety === null ? '' : draw(<SafetyPill safety={safety} isMicrophoneOpen={false} />),
    bar: safety === null ? '' : draw(<SafetySign safety={safety} isMicrophoneOpen={false} />),
    row: row
      ? draw(<RecordingListItem row={row} overviews={() => Promise.resolve(new Uint8Array())} isFleeting />)
      : '',
    storage: draw(<StoredTakeItem take={shown.take} state={shown.state} onMoveToTrash={nothing} />),
    player: draw(<StatePill state={shown.state} />),
    announcement: stoppedMessage(take),
  };
}

const check = (rule: (situation: Situation) => void): void => {
  fc.assert(fc.property(situations, rule), { numRuns: 400 });
};

const promisesWaiting =
  /Waiting for|It uploads when|uploading continues|Sign in to save|until it’s on the server|waiting|not on the server yet|Nothing (?:will be|gets) lost/u;
const saysServer = /On server|[Ss]aved on the server/u;

describe('for every combination of facts and viewer', () => {
  test('no surface waits for what can’t come', () => {
    check((situation) => {
      const blockReason = takeBlockReasonOf(takeOf(situation), standingsOf(situation));
      if (blockReason === null || situation.hasReceipt) return;
      for (const [surface, text] of Object.entries(surfacesOf(situation)))
        expect(promisesWaiting.test(text) ? `${surface}: ${text}` : '').toBe('');
    });
  });

  test('“on the server” needs a receipt, of a server that still takes it', () => {
    check((situation) => {
      const blockReason = takeBlockReasonOf(takeOf(situation), standingsOf(situation));
      const isThere =
        situation.hasReceipt && !situation.isRunning && (blockReason ?? 'account-off') === 'account-off';
      if (isThere || situation.isRunning) return;
      for (const [surface, text] of Object.entries(surfacesOf(situation)))
        expect(saysServer.test(text) ? `${surface}: ${text}` : '').toBe('');
    });
  });

  test('no two surfaces disagree about the state of a stopped take', () => {
    check((situation) => {
      setStores(situation);
      const shown = stateOf(situation);
      if (!shown || situation.isRunning || situation.isInMemory) return;
      const take = takeOf(situation);
      const blockReason = takeBlockReasonOf(take, standingsOf(situation));
      const safety = takeSafetyOf({ status: 'stopped', ending: 'asked', take }, blockReason)?.safety;
      expect(safety).toBe(shown.state);
      expect(isBlocked(shown.state)).toBe(
        blockReason !== null && !(blockReason === 'account-off' && situation.hasReceipt),
      );
      expect(saysServer.test(stoppedMessage(take))).toBe(shown.state === 'server');
    });
  });

  test('nobody reads the title of a take of another account', () => {
    check((situation) => {
      if (isVisibleTo(recordOf(situation), viewerOf(situation))) return;
      setStores(situation);
      expect(surfacesOf(situation)).toEqual({});
      const viewed = viewedTake({ status: 'recording', take: takeOf(situation) }, { ...viewerOf(situation) });
      expect(JSON.stringify(viewed)).not.toContain(title);
      const ownerId = situation.ownerId ?? '';
      const texts = [
        draw(<OtherOwnersLines others={othersOf(situation)} />),
        draw(<ForeignTakeTitle ownerId={ownerId} />),
        draw(<ForeignTakeHint ownerId={ownerId} />),
        draw(<EmptyLibrary session={situation.userId === null ? 'signed-out' : 'signed-in'} />),
      ];
      for (const text of texts) expect(text).not.toContain(title);
    });
  });

  test('signed out, the library asks to sign in only for what a sign-in changes', () => {
    check((situation) => {
      const shown = stateOf(situation);
      if (!shown || situation.userId !== null) return;
      setStores(situation);
      const text = draw(<SignedOutNotice rows={[shown]} onSignIn={nothing} />);
      const isGone = situation.isTab && situation.ownerId !== null && situation.standing !== null;
      const isSavable =
        !isBlocked(shown.state) && shown.state !== 'server' && !(isGone && shown.state === 'recording-here');
      expect(/save these|save the other|finish saving/u.test(text)).toBe(isSavable);
      expect(text).not.toMatch(/[a-z][.!?][A-Z]/u);
      expect(/account was deleted|account is turned off/u.test(text)).toBe(isGone);
      expect(text.includes('</button>')).toBe(!isGone || isSavable);
    });
  });

  test('after a session that ended, an empty list says so and asks to sign in again, once', () => {
    check((situation) => {
      if (situation.userId !== null || !situation.isTab || situation.ownerId === null) return;
      setStores(situation);
      const text = draw(<EmptyLibrary session="signed-out" />);
      expect(text).not.toMatch(/No recordings yet|You need an account/u);
      if (situation.standing !== null) return;
      expect(text.match(/Your session has ended/gu)).toHaveLength(1);
      expect(text.match(/<button/gu)).toHaveLength(1);
    });
  });

  test('no surface says that there is nothing where there is something', () => {
    check((situation) => {
      setStores(situation);
      const viewing = {
        ...viewerOf(situation),
        heldTakeIds: new Set<string>(),
        standings: standingsOf(situation),
      };
      expect(isEmptyUsage(deviceUsageOf([recordOf(situation)], viewing))).toBe(false);
      const others = othersOf(situation);
      if (others.length === 0 || situation.userId !== null) return;
      const text = draw(<EmptyLibrary session="signed-out" />);
      expect(text).not.toMatch(/No recordings yet/u);
      expect(draw(<OtherOwnersLines others={others} />)).toMatch(/^<p>1 recording /u);
    });
  });
});
