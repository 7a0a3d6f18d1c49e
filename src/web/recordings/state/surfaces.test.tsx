import { readdirSync, readFileSync } from 'node:fs';
import fc from 'fast-check';
import { i18n } from '@lingui/core';
import { I18nProvider } from '@lingui/react';
import type { ReactNode } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, test } from 'vitest';
import { Router } from 'wouter';
import type { Recording } from '#contract/recordings.ts';
import { recordingFor } from '#web/api/queries/recording-for.suite.ts';
import { sessionState } from '#web/api/session-state.ts';
import { RecordingListItem } from '#web/features/library/list/recording-list-item.tsx';
import { libraryItemsOf } from '#web/features/library/list/library-items.ts';
import { StoredTakeItem } from '#web/features/recorder/device-storage/stored-take-item.tsx';
import { claims } from '#device/takes/claims.ts';
import { takesFor, takeStateOf } from '#device/takes/device-take.ts';
import { SafetyPill } from '#web/features/recorder/notices/safety-pill.tsx';
import { ResultCard } from '#web/features/recorder/screen/result-card.tsx';
import { takeFactsOf, takeBlockReasonOf, takeSafetyOf } from '#web/features/recorder/take/take-safety.ts';
import type { Take } from '#web/features/recorder/take/take.ts';
import { takeFor } from '#web/features/recorder/take/take.suite.ts';
import {
  lostStandingOf,
  setOwnerStanding,
  type LostStanding,
  type OwnerStandings,
} from '#device/takes/owner-standings.ts';
import type { Rejection, TakeRecord } from '#device/records/take-record.ts';
import { takeRecordFor } from '#device/records/take-record.suite.ts';
import {
  importFactsOf,
  recordingStateOf,
  safetyOf,
  serverFactsOf,
  type RecordingState,
  withTransfer,
} from '#device/takes/recording-state.ts';
import { uploadConditions } from '#workers/upload/upload-condition.suite.ts';
import { StatePill } from './state-pill.tsx';
import { summarizeGaps } from '#contract/gap-summary.ts';
import type { GapCause } from '#contract/recordings.ts';
import { sentenceFor, stateMessages } from './state-messages.ts';
import { transferIn } from './transfers.ts';

const nothing = () => undefined;
const draw = (children: ReactNode) =>
  renderToStaticMarkup(
    <I18nProvider i18n={i18n}>
      <Router ssrPath="/">{children}</Router>
    </I18nProvider>,
  ).replaceAll('&#x27;', "'");
i18n.loadAndActivate({ locale: 'en', messages: {} });
const shortWords = Object.values(stateMessages).map(({ short }) => i18n._(short));

/** Everything in which two views of a recording may differ. */
const situations = fc.record({
  ownerId: fc.constantFrom(null, 'me', 'you'),
  userId: fc.constantFrom(null, 'me', 'you'),
  session: fc.constantFrom('unknown', 'signed-out', 'signed-in'),
  hasReceipt: fc.boolean(),
  isRecording: fc.boolean(),
  isClaimed: fc.boolean(),
  rejection: fc.constantFrom<(Rejection | undefined)[]>(
    undefined,
    'deleted',
    'taken',
    'finished',
    'invalid',
    'not-audio',
  ),
  standing: fc.constantFrom<(LostStanding | null)[]>(null, 'deleted', 'disabled'),
  journal: fc.constantFrom('files', 'database', 'temporary'),
  isHeld: fc.boolean(),
  condition: fc.constantFrom(null, ...uploadConditions),
  listed: fc.constantFrom(null, 'receiving', 'finishing', 'ready', 'abandoned', 'failed'),
  gaps: fc.array(
    fc.record({
      atMs: fc.nat(4000),
      durationMs: fc.nat(900),
      cause: fc.constantFrom<GapCause>('browser-busy', 'microphone-lost', 'unknown'),
    }),
    { maxLength: 3 },
  ),
});
type Situation = typeof situations extends fc.Arbitrary<infer T> ? T : never;

/** The server has just said that it reads no audio, and the rejection has not arrived. */
const unreadable: Situation = {
  ownerId: null,
  userId: 'me',
  session: 'unknown',
  hasReceipt: false,
  isRecording: false,
  rejection: undefined,
  isClaimed: true,
  standing: null,
  journal: 'files',
  isHeld: false,
  condition: 'not-audio',
  listed: null,
  gaps: [],
};

const standingsOf = ({ ownerId, standing }: Situation): OwnerStandings =>
  new Map(ownerId === null || standing === null ? [] : [[ownerId, { standing, sinceMs: 0 }]]);

const recordOf = ({ ownerId, hasReceipt, isRecording, rejection }: Situation): TakeRecord =>
  takeRecordFor({
    id: 'a',
    ownerId,
    title: 'Interview',
    state: isRecording ? 'recording' : 'stopped',
    durationMs: 5000,
    sizeBytes: 30_000,
    receiptAtMs: hasReceipt && !isRecording ? 1 : null,
    isRejected: rejection !== undefined,
    rejection,
  });
const takeOf = ({ rejection, ownerId, hasReceipt, condition, journal, gaps }: Situation): Take =>
  takeFor({
    gaps,
    ownerId,
    progress: { capturedMs: 5000, deviceMs: 5000, serverMs: hasReceipt ? 5000 : 0 },
    condition: condition ?? 'unattached',
    safety: hasReceipt ? 'server' : 'device',
    journal,
    ...(rejection && { rejection }),
  });

/** The rendered row, device page item and player pill; null where the situation shows none. */
function drawn(
  situation: Situation,
): { state: string; row: string; device: string | null; player: string } | null {
  const { userId, isHeld, condition, listed } = situation;
  const viewer = {
    userId,
    heldTakeIds: new Set(isHeld ? ['a'] : []),
    standings: standingsOf(situation),
  };
  const transfers = new Map(condition === null ? [] : ([['a', transferIn(condition)]] as const));
  const record = recordOf(situation);
  const takes = takesFor([record], viewer);
  const recordings: Recording[] = listed === null ? [] : [{ ...recordingFor('a'), state: listed }];
  const [row] = libraryItemsOf({
    takes,
    recordings,
    transfers,
    search: '',
    isFiltered: false,
    hasServerList: listed !== null,
  });
  if (!row) return null;
  const device = takes[0]
    ? withTransfer(takes[0].facts, transfers.get('a'))
    : importFactsOf(transfers.get('a'));
  const state = recordingStateOf({ server: recordings[0] ? serverFactsOf(recordings[0]) : null, device });
  if (state === null) return null;
  const [stored] = takes;
  return {
    state,
    row: draw(<RecordingListItem row={row} overviews={() => Promise.resolve(new Uint8Array())} isFleeting />),
    device:
      stored && listed === null
        ? draw(
            <StoredTakeItem
              take={stored}
              state={takeStateOf(stored, transfers.get('a'))}
              onMoveToTrash={nothing}
            />,
          )
        : null,
    player: draw(<StatePill state={state} />),
  };
}

describe('in every combination of owner, session, receipt, transfer and server state', () => {
  test('row, device page and player show the text of the same single state', () => {
    fc.assert(
      fc.property(situations, (situation) => {
        const shown = drawn(situation);
        if (shown === null) return;
        const messages = stateMessages[shown.state as keyof typeof stateMessages];
        expect(shortWords.filter((one) => shown.row.includes(`>${one}<`))).toContain(i18n._(messages.short));
        expect(new Set(shortWords.filter((one) => shown.row.includes(`>${one}<`))).size).toBe(1);
        expect(shown.device === null || shown.device.includes(`>${i18n._(messages.long)}<`)).toBe(true);
        expect(shown.player).toContain(`>${i18n._(messages.long)}<`);
      }),
      { numRuns: 400 },
    );
  });

  test('the recorder’s pill and the result agree, and never prompt a signed-in user to sign in', () => {
    fc.assert(
      fc.property(situations, (situation) => {
        const take = takeOf(situation);
        const state = { status: 'stopped', ending: 'asked', take } as const;
        const { userId } = situation;
        claims.clear();
        if (situation.isClaimed) claims.add([take.id]);
        for (const ownerId of ['me', 'you'])
          setOwnerStanding(ownerId, lostStandingOf(standingsOf(situation), ownerId), 0);
        const blockReason = takeBlockReasonOf(take, standingsOf(situation));
        const facts = takeFactsOf(take, {
          isOpen: false,
          blockReason,
          userId,
          claimed: claims.getSnapshot(),
        });
        const safety = takeSafetyOf(state, blockReason);
        if (safety === null) throw new Error('a stopped take has a safety');
        expect(draw(<SafetyPill safety={safety} isMicrophoneOpen={false} />)).toContain(
          `>${i18n._(stateMessages[safetyOf(facts)].long)}<`,
        );
        const result = draw(<ResultCard state={state} userId={userId} onRecordAnother={nothing} />);
        const isForgotten = take.journal === 'temporary' && safetyOf(facts) !== 'server';
        const sentence = sentenceFor(safetyOf(facts), {
          owner: facts.owner,
          isSignedIn: userId !== null,
          isComplete: summarizeGaps(take.gaps).isComplete,
          blockReason: facts.blockReason,
        });
        // A card with gaps has one line for them, and never says complete.
        const { isComplete, places, cause } = summarizeGaps(take.gaps);
        expect(!isComplete && /is complete|Complete,/u.test(result)).toBe(false);
        expect(result).not.toMatch(/\b0\.0|\b0 s/u);
        expect(/missing in (<!-- -->)?\d/u.test(result)).toBe(!isComplete && (places > 1 || cause === null));
        const forgotten = /this private window forgets/iu.exec(result)?.[0] ?? 'not said';
        expect(result).toContain(isForgotten ? forgotten : i18n._(sentence));
        expect(isForgotten).toBe(forgotten !== 'not said');
        expect(userId !== null && result.includes('Sign in')).toBe(false);
      }),
      { numRuns: 400, examples: [[unreadable]] },
    );
  });

  test('the page’s session and connection state changes nothing', async () => {
    const { trackedFetch } = await import('#web/api/connection/connection.ts');
    await trackedFetch('http://localhost:1/').catch(nothing);
    fc.assert(
      fc.property(situations, (situation) => {
        const before = JSON.stringify(drawn(situation));
        sessionState.set({
          ...sessionState.getSnapshot(),
          status: 'signed-out',
          user: null,
          isLeaving: situation.session === 'unknown',
        });
        expect(JSON.stringify(drawn(situation))).toBe(before);
      }),
      { numRuns: 100 },
    );
  });
});

test('rows have one of three words, unless their user has something to know or to do', () => {
  const wordsOf = (states: readonly RecordingState[]) =>
    new Set(states.map((state) => i18n._(stateMessages[state].short)));
  expect(wordsOf(['server', 'checking', 'not-ready', 'uploading', 'device', 'waiting'])).toEqual(
    new Set(['On server', 'Uploading', 'On device']),
  );
  expect(new Set(shortWords)).toEqual(
    new Set([
      'On server',
      'Uploading',
      'On device',
      'Recording',
      'Waiting for you to sign in',
      'The server is out of space',
      'Storage limit reached',
      'Only in this page’s memory',
      'Only on this device',
      'Account deleted',
      'Account turned off',
      'Not complete yet',
      'Interrupted',
      'Can’t be played',
      'Damaged',
    ]),
  );
});

describe('the texts of the states', () => {
  const sources = readdirSync('src/web', { recursive: true, encoding: 'utf8' }).filter(
    (name) =>
      /\.tsx?$/.test(name) &&
      !/\.(test|suite)\.tsx?$|^dev\//.test(name) &&
      !name.endsWith('recordings/state/state-messages.ts'),
  );

  test.each([
    'On server',
    'On device',
    'Saved on the server',
    'Saved on this device',
    'Uploading',
    'Waiting for a connection',
    'Only in this page’s memory',
    'Not complete yet',
    'On its way to the server',
    'Only on this device',
    'On the server too',
  ])('“%s” is in one module only', (messages) => {
    expect(
      sources.filter((name) =>
        ['`', "'", '>'].some((opening) =>
          ['`', "'", '<'].some((closing) =>
            readFileSync(`src/web/${name}`, 'utf8').includes(`${opening}${messages}${closing}`),
          ),
        ),
      ),
    ).toEqual([]);
  });
});
