import { describe, expect, it } from 'vitest';
import type { Recording } from '#contract/recordings.ts';
import type { Share } from '#contract/shares.ts';
import { invariants, lossesOf, violationsOf } from './invariants.ts';
import { newModel, type Model, type ModelLink, type ModelTake } from './model.ts';
import type { DeviceTake, Reading, Surface } from './reading.ts';

const recordingOf = (values: Partial<Recording>): Recording =>
  ({ id: 'a', title: 'Talk tk1x', durationMs: 5000, state: 'ready', ...values }) as Recording;
const linkOf = (values: Partial<Share>): Share =>
  ({ recordingId: 'a', state: 'active', live: null, toMs: null, url: 'u', ...values }) as Share;
const take: ModelTake = {
  token: 'tk1x',
  id: 'a',
  tab: 0,
  speakers: ['Ana'],
  owner: 'Ana',
  shownMs: 4900,
  recordedMs: 5000,
  abruptEnds: 0,
  fate: 'library',
};
const link: ModelLink = { url: 'u', takeId: 'a', state: 'on', boundMs: null };
const stored: DeviceTake = {
  id: 'a',
  owner: 'Ana',
  title: 'Talk tk1x',
  state: 'stopped',
  durationMs: 5000,
  hasReceipt: true,
  isTrashed: false,
  isRunning: false,
  gaps: [],
};
const row = 'Talk tk1x · 29 November 2026 at 10:10 00:05 On server';
const library: Surface = {
  tab: 0,
  path: '/library',
  language: 'en',
  documentTitle: 'Library · Earshot',
  text: `Library 1 recording ${row}`,
  clockMs: 0,
  isCapturing: false,
  openMicrophones: 0,
  rows: [{ id: 'a', text: row }],
  card: null,
  player: null,
};

interface Scene {
  reading: Reading;
  model: Model;
  library: Surface;
  stored: DeviceTake;
  recording: Recording;
  take: ModelTake;
  link: ModelLink;
}

/** Ana has one recording, which is shared, on the server and on the device, and looks at her library. */
function scene(): Scene {
  const parts = {
    library: structuredClone(library),
    stored: { ...stored },
    recording: recordingOf({}),
    take: structuredClone(take),
    link: { ...link },
  };
  const reading: Reading = {
    surfaces: [parts.library],
    device: [parts.stored],
    accounts: [
      { name: 'Ana', listed: [parts.recording], trashed: [], shares: [linkOf({})] },
      { name: 'Ben', listed: [], trashed: [], shares: [] },
    ],
    heard: [{ url: 'u', status: 200, durationMs: 5000, isLive: false }],
    errors: [],
  };
  const model: Model = { ...newModel(), signedIn: 'Ana', takes: [parts.take], links: [parts.link] };
  return { reading, model, ...parts };
}

const playerAt = (text: string, lengthMs: number): Partial<Surface> => ({
  path: '/recordings/a',
  rows: [],
  player: { id: 'a', text, lengthMs },
});

/** The take runs, and its link gives it out. */
function goLive({ reading, stored: one, recording }: Scene): void {
  Object.assign(one, { isRunning: true, state: 'recording', hasReceipt: false });
  recording.state = 'receiving';
  reading.heard = [{ url: 'u', status: 200, durationMs: 5000, isLive: true }];
}

type Breach = [rule: string, what: string, change: (scene: Scene) => void];

/** What breaks each rule. */
const breaches: readonly Breach[] = [
  ['nothing of another owner', 'a title is shown to Ben', ({ model }) => (model.signedIn = 'Ben')],
  ['nothing of another owner', 'a title is shown after a sign-out', ({ model }) => (model.signedIn = null)],
  [
    'nothing of another owner',
    'a title is shown in another tab than the one that recorded it, after the session ended',
    ({ model, library: shown }) => Object.assign(model, { signedIn: null, left: 'Ana' }) && (shown.tab = 1),
  ],
  [
    'nothing of another owner',
    'the name of a file is shown to Ben',
    ({ model, library: shown }) => {
      model.imports.push({ token: 'im1x', owner: 'Ben' });
      shown.text += ' im1x.wav';
    },
  ],
  ['one owner', 'Ben’s voice is in Ana’s account', ({ take: one }) => one.speakers.push('Ben')],
  [
    'one owner',
    'a take goes from Ana to Ben',
    ({ stored: one, take: modelled }) => {
      one.owner = 'Ben';
      modelled.speakers = [];
    },
  ],
  [
    'one account',
    'two accounts list a recording',
    ({ reading, recording }) => reading.accounts?.[1]?.listed.push(recording),
  ],
  [
    'no “none” where there is some',
    'the signed-out library',
    ({ library: shown }) => (shown.text = 'No recordings yet'),
  ],
  [
    'no “none” where there is some',
    'the storage of Ben',
    ({ library: shown, model }) => {
      model.signedIn = 'Ben';
      shown.text = 'No recordings on this device';
    },
  ],
  [
    'no “none” where there is some',
    'the library of an account without copies here',
    ({ library: shown, reading }) => {
      reading.device = [];
      shown.text = 'Your account has no recordings yet';
    },
  ],
  ['no missing row', 'the library lists nothing', ({ library: shown }) => (shown.rows = [])],
  [
    'one state',
    'a row waits for what the server has',
    ({ library: shown }) => (shown.rows = [{ id: 'a', text: 'Talk tk1x 00:05 Uploading' }]),
  ],
  [
    'one state',
    'the card says that the server has what only the device has',
    ({ library: shown, stored: one, recording }) => {
      one.hasReceipt = false;
      recording.state = 'receiving';
      shown.card = { id: 'a', text: 'Saved on the server' };
    },
  ],
  [
    'one length',
    'a row is two seconds shorter',
    ({ library: shown }) => (shown.rows = [{ id: 'a', text: row.replace('00:05', '00:03') }]),
  ],
  [
    'one length',
    'the player is 200 ms longer',
    ({ library: shown }) => Object.assign(shown, playerAt('Saved on the server', 5200)),
  ],
  [
    'no false wait',
    'a wait for a connection, online',
    ({ library: shown }) => (shown.text += ' Waiting for a connection'),
  ],
  [
    'no false wait',
    'a wait for the sign-in of who is signed in',
    ({ library: shown }) => (shown.text += ' Waiting for you to sign in'),
  ],
  [
    'an open microphone has a sign',
    'nothing can stop it',
    ({ library: shown }) => (shown.openMicrophones = 1),
  ],
  [
    'a running take is offered to its owner',
    'the recorder of its tab has only Stop',
    ({ library: shown, stored: one }) => {
      Object.assign(one, { isRunning: true, state: 'recording' });
      shown.path = '/';
    },
  ],
  [
    'what is on air has a sign',
    'the title of the document says nothing',
    (changed) => {
      goLive(changed);
      changed.library.isCapturing = true;
      changed.library.text += ' On air';
    },
  ],
  [
    'what is on air has a sign',
    'the tab says nothing after its owner has signed out',
    (changed) => {
      goLive(changed);
      changed.model.signedIn = null;
    },
  ],
  [
    'what is on air has a sign',
    'the tab says it after its account was turned off',
    (changed) => {
      goLive(changed);
      changed.reading.heard = [{ url: 'u', status: 410, durationMs: 0, isLive: false }];
      Object.assign(changed.link, { state: 'suspended' });
      Object.assign(changed.model, { signedIn: null });
      changed.library.text += ' On air';
    },
  ],
  [
    'one state without an account',
    'a row waits for the sign-in of a deleted account',
    ({ library: shown, model, stored: one }) => {
      Object.assign(model, { signedIn: null, left: 'Ana', standings: { Ana: 'deleted', Ben: 'active' } });
      one.hasReceipt = false;
      shown.rows = [{ id: 'a', text: 'Talk tk1x 00:05 Waiting for you to sign in' }];
    },
  ],
  [
    'a way out without an account',
    'Storage offers nothing',
    ({ library: shown, take: one }) => {
      shown.path = '/settings/storage';
      one.fate = 'orphaned';
    },
  ],
  ...(['isDeviceFull', 'isServerFull'] as const).map((what): Breach => [
    'a full disk is said',
    what,
    ({ library: shown, model, stored: one }) => {
      Object.assign(one, { isRunning: true, state: 'recording' });
      Object.assign(shown, { path: '/', isCapturing: true });
      model[what] = true;
    },
  ]),
  ['links answer as asked', 'a link that is off plays', ({ link: one }) => (one.state = 'off')],
  [
    'links answer as asked',
    'a link that is on does not',
    ({ reading }) => (reading.heard = [{ url: 'u', status: 410, durationMs: 0, isLive: false }]),
  ],
  ['links answer as asked', 'a link gives more than its part', ({ link: one }) => (one.boundMs = 3000)],
  ['links answer as asked', 'a link that nobody made', ({ model }) => (model.links = [])],
  ['no uncaught error', 'an exception', ({ reading }) => reading.errors.push('TypeError')],
];

const losses: readonly [what: string, change: (scene: Scene) => void][] = [
  ['a recording that is nowhere', ({ reading }) => (reading.accounts = [])],
  ['a recording that is still being received', ({ recording }) => (recording.state = 'receiving')],
  ['150 ms less than on the device', ({ recording }) => (recording.durationMs = 4850)],
  ['less than the clock showed', ({ take: one }) => (one.shownMs = 5300)],
  [
    'a gap without a cause in the walk',
    ({ stored: one }) => (one.gaps = [{ atMs: 0, durationMs: 40, cause: 'microphone-lost' }]),
  ],
  [
    'a long gap of a busy machine',
    ({ stored: one }) => (one.gaps = [{ atMs: 0, durationMs: 400, cause: 'browser-busy' }]),
  ],
  ['a trashed take that is in the library', ({ take: one }) => (one.fate = 'trash')],
  [
    'a take of a deleted account that is not on the device',
    ({ take: one, reading }) => {
      one.fate = 'orphaned';
      reading.device = [];
    },
  ],
  [
    'a take of a deleted account that is shorter',
    ({ take: one }) => Object.assign(one, { fate: 'orphaned', shownMs: 5300 }),
  ],
];

describe('the invariants of the explorer', () => {
  it('hold where nothing is wrong', () => {
    const { reading, model } = scene();
    expect(violationsOf(reading, model)).toEqual([]);
    expect(lossesOf(reading, model)).toEqual([]);
  });

  it.for(breaches)('“%s” fails if: %s', ([rule, , change]) => {
    const changed = scene();
    change(changed);
    expect(violationsOf(changed.reading, changed.model)).toContainEqual(expect.objectContaining({ rule }));
  });

  it('each have a case that breaks them', () => {
    expect(new Set(breaches.map(([rule]) => rule))).toEqual(new Set(Object.keys(invariants)));
  });

  it.for(losses)('“nothing is lost” fails for %s', ([, change]) => {
    const changed = scene();
    change(changed);
    expect(lossesOf(changed.reading, changed.model)).toHaveLength(1);
  });

  it('allow what a killed page may lose, and short gaps of a busy machine', () => {
    const { reading, model, take: one, stored: onDevice } = scene();
    Object.assign(one, { shownMs: 5900, abruptEnds: 1 });
    onDevice.gaps = [
      { atMs: 5000, durationMs: 800, cause: 'page-killed' },
      { atMs: 900, durationMs: 250, cause: 'unknown' },
    ];
    expect(lossesOf(reading, model)).toEqual([]);
  });

  it('let the tab that recorded a take show it after the session has ended elsewhere', () => {
    const { reading, model } = scene();
    Object.assign(model, { signedIn: null, left: 'Ana' });
    expect(violationsOf(reading, model)).toEqual([]);
  });
});
