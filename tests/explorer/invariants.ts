import type { Gap, Recording } from '#contract/recordings.ts';
import { isReachable, isStoring, ownerOf, type Model, type ModelTake } from './model.ts';
import type { Account, Reading, Surface } from './reading.ts';
import { wordsIn } from './words.ts';

/** A rule that was broken, with what was seen. */
export interface Violation {
  rule: string;
  seen: string;
}

type Rule = (reading: Reading, model: Model) => string[];

const says = ({ text, language }: Surface, words: string): boolean => text.includes(wordsIn(language, words));
const nameOf = ({ tab, path }: Surface): string => `tab ${tab + 1} at ${path}`;

/** Whether anyone who looks at this tab may see a take, by its current owner. */
function maySee({ tab }: Surface, model: Model, take: Pick<ModelTake, 'owner' | 'tab'>): boolean {
  const { signedIn, left } = model;
  if (take.owner === null || take.owner === signedIn) return true;
  // After a session that ended elsewhere, the tab that recorded it still shows it. A page that can't ask the server
  // doesn't know yet.
  return signedIn === null && take.owner === left && (take.tab === tab || !isReachable(model));
}

/** Nothing of another owner on any surface. */
const foreign: Rule = (reading, model) =>
  reading.surfaces.flatMap((surface) => [
    ...model.takes.flatMap((take) => {
      const owner = ownerOf(take, reading);
      return surface.text.includes(take.token) && !maySee(surface, model, { owner, tab: take.tab })
        ? [`${nameOf(surface)} shows ${take.token} of ${owner} to ${model.signedIn ?? 'nobody'}`]
        : [];
    }),
    ...model.imports.flatMap(({ token, owner }) =>
      surface.text.includes(token) && owner !== (model.signedIn ?? model.left)
        ? [`${nameOf(surface)} shows the import ${token} of ${owner} to ${model.signedIn ?? 'nobody'}`]
        : [],
    ),
  ]);

/** A take belongs to the user who was signed in when it was recorded, and stays with its owner. */
const oneOwner: Rule = (reading, model) =>
  model.takes.flatMap((take) => {
    const owner = ownerOf(take, reading);
    const other = take.speakers.find((speaker) => speaker !== null && owner !== null && speaker !== owner);
    return [
      ...(other === undefined ? [] : [`${take.token} has sound of ${other} and belongs to ${owner}`]),
      ...(take.owner !== null && owner !== null && owner !== take.owner
        ? [`${take.token} went from ${take.owner} to ${owner}`]
        : []),
    ];
  });

/** No recording is in two accounts. */
const oneAccount: Rule = ({ accounts }) => {
  const ids = (accounts ?? []).flatMap(({ listed, trashed }) => [...listed, ...trashed].map(({ id }) => id));
  return ids.filter((id, index) => ids.indexOf(id) !== index).map((id) => `${id} is in two lists`);
};

const accountOf = ({ accounts }: Reading, model: Model): Account | undefined =>
  accounts?.find(({ name }) => name === model.signedIn);

/** No “none” where there is something that the viewer may be told about. */
const noFalseNone: Rule = (reading, model) => {
  const onDevice = reading.device.filter(({ isTrashed }) => !isTrashed).length;
  const own =
    reading.device.filter(({ isTrashed, owner }) => !isTrashed && owner === model.signedIn).length +
    (accountOf(reading, model)?.listed.length ?? 0);
  return reading.surfaces.flatMap((surface) => {
    const found = [
      ...(onDevice > 0 ? ['No recordings yet', 'No recordings on this device'] : []),
      ...(own > 0 && model.signedIn !== null
        ? ['Your account has no recordings yet', 'No recordings yet']
        : []),
    ].find((words) => says(surface, words));
    return found === undefined
      ? []
      : [`${nameOf(surface)} says “${found}”: ${onDevice} on the device, ${own} in the account`];
  });
};

/** The library has a row for every recording of the account. */
const noMissingRow: Rule = (reading, model) => {
  const account = accountOf(reading, model);
  if (!account || !isStoring(model)) return [];
  return reading.surfaces
    .filter(({ path }) => path === '/library')
    .flatMap((surface) =>
      account.listed
        .filter(({ id }) => !surface.rows.some((row) => row.id === id))
        .map(({ title }) => `${nameOf(surface)} has no row for “${title}”`),
    );
};

/** The states that a surface can claim; the short words are those of rows. */
const claims = {
  server: ['On server', 'Saved on the server'],
  elsewhere: [
    'Uploading',
    'Waiting for a connection',
    'Waiting for you to sign in',
    'Saved on this device',
    'On device',
  ],
} as const;

const claimsAny = (text: string, surface: Surface, words: readonly string[]): boolean =>
  words.some((one) => text.includes(wordsIn(surface.language, one)));

/** The texts about one recording on a surface, each with the surface's name. */
function textsAbout(id: string, surface: Surface): { where: string; text: string }[] {
  const { rows, card, player } = surface;
  return [
    ...rows.filter((row) => row.id === id).map(({ text }) => ({ where: `row in ${nameOf(surface)}`, text })),
    ...(card?.id === id ? [{ where: `card in ${nameOf(surface)}`, text: card.text }] : []),
    ...(player?.id === id ? [{ where: `player in ${nameOf(surface)}`, text: player.text }] : []),
  ];
}

const isWhole = (state: string): boolean => ['ready', 'finishing', 'failed'].includes(state);

/** What is wrong with the state that a text claims for a take that nothing records now. */
function falseState(
  { text, surface }: { text: string; surface: Surface },
  { hasReceipt, isOnServer }: { hasReceipt: boolean; isOnServer: boolean },
): string | null {
  if (isOnServer && claimsAny(text, surface, claims.elsewhere)) return 'the server has all of it';
  if (!isOnServer && !hasReceipt && claimsAny(text, surface, claims.server))
    return 'the server has not all of it';
  return null;
}

/** Library, player, card and pill say the state that the server and the device have. */
const oneState: Rule = (reading, model) => {
  const account = accountOf(reading, model);
  if (!account || !isReachable(model)) return [];
  return model.takes.flatMap(({ id, token }) => {
    const stored = reading.device.find((take) => take.id === id);
    if (stored?.isRunning) return [];
    const isOnServer = account.listed.some((recording) => recording.id === id && isWhole(recording.state));
    const facts = { isOnServer, hasReceipt: stored?.hasReceipt ?? isOnServer };
    return reading.surfaces.flatMap((surface) =>
      textsAbout(id, surface).flatMap(({ where, text }) => {
        const reason = falseState({ text, surface }, facts);
        return reason === null ? [] : [`${where} says “${text.slice(0, 160)}” of ${token}, but ${reason}`];
      }),
    );
  });
};

const shownSeconds = (text: string): number | null => {
  const clock = /(?<![\d.:])(?:(\d+):)?(\d\d):(\d\d)(?![\d:])/u.exec(
    // The time of day is no length.
    text.replaceAll(/\d{4} (?:at|um) \d\d:\d\d/gu, ' ').replaceAll(/\p{L}+ \d\d:\d\d/gu, ' '),
  );
  if (!clock) return null;
  const [, hours = '0', minutes = '0', seconds = '0'] = clock;
  return Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds);
};

/** No surface says that a recording whose account can't be used is on its way, or on a server that has not all of it. */
const goneState: Rule = (reading, model) =>
  model.takes.flatMap((take) => {
    const { id, token, owner, fate } = take;
    const standing = owner === null ? 'active' : model.standings[owner];
    const stored = reading.device.find((one) => one.id === id);
    if (standing === 'active' || !stored || stored.isRunning || !isReachable(model)) return [];
    const isOnServer = standing === 'disabled' && stored.hasReceipt && fate === 'library';
    return reading.surfaces.flatMap((surface) =>
      textsAbout(id, surface)
        .filter(({ text }) =>
          claimsAny(text, surface, [...claims.elsewhere, ...(isOnServer ? [] : claims.server)]),
        )
        .map(
          ({ where, text }) =>
            `${where} says “${text.slice(0, 160)}” of ${token}, whose account is ${standing}`,
        ),
    );
  });

/** Storage offers a way out for what a deleted account left on this device. */
const wayOut: Rule = (reading, model) => {
  const orphans = model.takes.filter(
    ({ id, fate }) =>
      fate === 'orphaned' && reading.device.some((one) => one.id === id && !one.isRunning && !one.isTrashed),
  );
  return orphans.length === 0
    ? []
    : reading.surfaces
        .filter(({ path }) => path === '/settings/storage')
        .filter((surface) => !says(surface, 'Delete from this device'))
        .map(
          (surface) =>
            `${nameOf(surface)} offers no way out for ${orphans.map(({ token }) => token).join(', ')}`,
        );
};

/** The recorder says why new audio is not stored. */
const fullSaid: Rule = (reading, model) =>
  reading.surfaces
    .filter(({ path, isCapturing }) => path === '/' && isCapturing)
    .filter((surface) => !says(surface, 'Resume'))
    .flatMap((surface) => {
      const take = model.takes.find(
        ({ id, tab }) => tab === surface.tab && reading.device.some((one) => one.id === id && one.isRunning),
      );
      if (!take) return [];
      const isSent = take.owner !== null && take.owner === model.signedIn && isReachable(model);
      return [
        ...(model.isDeviceFull ? ['This device is full'] : []),
        // That new audio is in memory alone matters more.
        ...(model.isServerFull && isSent && !model.isDeviceFull ? ['The server is out of space'] : []),
      ]
        .filter((words) => !says(surface, words))
        .map((words) => `${nameOf(surface)} does not say “${words}” of ${take.token}`);
    });

/** Rows and the player say how long a stopped take is. */
const oneLength: Rule = (reading, model) =>
  model.takes.flatMap(({ id, token, recordedMs }) =>
    recordedMs === null || reading.device.some((take) => take.id === id && take.isRunning)
      ? []
      : reading.surfaces.flatMap((surface) => {
          const { rows, player } = surface;
          const inRows = rows
            .filter((row) => row.id === id && surface.path === '/library')
            .map(({ text }) => shownSeconds(text))
            .filter((seconds) => seconds !== null && Math.abs(seconds - recordedMs / 1000) > 1.1)
            .map((seconds) => `row in ${nameOf(surface)} says ${seconds} s, ${token} has ${recordedMs} ms`);
          const lengthMs = player?.id === id ? player.lengthMs : null;
          return lengthMs !== null && Math.abs(lengthMs - recordedMs) > 100
            ? [...inRows, `player in ${nameOf(surface)} says ${lengthMs} ms, ${token} has ${recordedMs} ms`]
            : inRows;
        }),
  );

/** Nothing waits for what is already there. */
const noFalseWait: Rule = ({ surfaces }, model) =>
  isReachable(model)
    ? surfaces.flatMap((surface) =>
        ['Waiting for a connection', ...(model.signedIn === null ? [] : ['Waiting for you to sign in'])]
          .filter((words) => says(surface, words))
          .map((words) => `${nameOf(surface)} says “${words}” to ${model.signedIn ?? 'nobody'}`),
      )
    : [];

/** An open microphone has a sign. */
const microphone: Rule = ({ surfaces }) =>
  surfaces
    .filter((surface) => surface.openMicrophones > 0 && !says(surface, 'Stop'))
    .map((surface) => `${nameOf(surface)} has ${surface.openMicrophones} open, without Stop`);

/** The recorder offers a running take to anyone who may see it. */
const ownTake: Rule = (reading, model) =>
  model.takes.flatMap((take) => {
    const isRunning = reading.device.some(({ id, isRunning: runs }) => id === take.id && runs);
    return reading.surfaces
      .filter(({ tab, path, isCapturing }) => isRunning && tab === take.tab && path === '/' && !isCapturing)
      .filter((surface) => maySee(surface, model, { owner: ownerOf(take, reading), tab: take.tab }))
      .map((surface) => `${nameOf(surface)} has no Pause or Resume for ${take.token}`);
  });

/**
 * The tab that records says *On air* exactly while a listener hears what it records, to its owner and to anyone at
 * the tab after a sign-out. The title of the document says it too, unless the take is of another account.
 */
const onAir: Rule = ({ heard, device, surfaces }, model) =>
  surfaces.flatMap((surface) => {
    const take = model.takes.find(
      ({ id, tab }) => tab === surface.tab && device.some((one) => one.id === id && one.isRunning),
    );
    if (!take || !isReachable(model)) return [];
    const links = model.links.filter(({ takeId }) => takeId === take.id);
    const isHeard = links.some(({ url }) => heard.some((one) => one.url === url && one.isLive));
    const isSaid = says(surface, 'On air');
    if (isHeard && !isSaid) return [`${nameOf(surface)} doesn’t say that ${take.token} is on air`];
    if (
      isHeard &&
      surface.isCapturing &&
      !surface.documentTitle.includes(wordsIn(surface.language, 'On air'))
    )
      return [`${nameOf(surface)} is on air and is called “${surface.documentTitle}”`];
    // A tab without the owner's session can't learn what the owner does to the links elsewhere.
    const isOwner = take.owner === model.signedIn;
    const mayKnow = isOwner || !links.some(({ state }) => state === 'ended' || state === 'off');
    const isOtherHeard = heard.some(({ isLive }) => isLive);
    return isSaid && mayKnow && !isOtherHeard
      ? [`${nameOf(surface)} says “On air”, and nobody can hear it`]
      : [];
  });

/** Every link answers as its owner asked, and there is no other. */
const links: Rule = ({ heard, accounts }, model) => [
  ...heard.flatMap(({ url, status, durationMs }) => {
    const link = model.links.find((one) => one.url === url);
    if (!link) return [];
    const isAnswered = status === 200;
    if (isAnswered !== (link.state === 'on')) return [`a link that is ${link.state} answers ${status}`];
    return isAnswered && link.boundMs !== null && durationMs > link.boundMs + 50
      ? [`a link up to ${link.boundMs} ms gives ${durationMs} ms`]
      : [];
  }),
  ...(accounts ?? []).flatMap(({ shares, name }) =>
    shares
      .filter(({ url, state }) => state === 'active' && !model.links.some((link) => link.url === url))
      .map(({ recordingTitle }) => `${name} has a link of “${recordingTitle}” that nobody made`),
  ),
];

const pageErrors: Rule = ({ errors }) => errors;

export const invariants: Readonly<Record<string, Rule>> = {
  'nothing of another owner': foreign,
  'one owner': oneOwner,
  'one account': oneAccount,
  'no “none” where there is some': noFalseNone,
  'no missing row': noMissingRow,
  'one state': oneState,
  'one state without an account': goneState,
  'a way out without an account': wayOut,
  'a full disk is said': fullSaid,
  'one length': oneLength,
  'no false wait': noFalseWait,
  'an open microphone has a sign': microphone,
  'a running take is offered to its owner': ownTake,
  'what is on air has a sign': onAir,
  'links answer as asked': links,
  'no uncaught error': pageErrors,
};

const check = (rules: Readonly<Record<string, Rule>>, reading: Reading, model: Model): Violation[] =>
  Object.entries(rules).flatMap(([rule, find]) => find(reading, model).map((seen) => ({ rule, seen })));

export const violationsOf = (reading: Reading, model: Model): Violation[] =>
  check(invariants, reading, model);

/** How exactly the stored length is that of the device. */
const toleranceMs = 100;
/** What a killed page may lose. */
const killLossMs = 1000;
/** On a busy machine Chromium's microphone delivers nothing for some tenths of a second. */
const busyGapMs = 300;

/** Gaps that nothing in the walk explains. */
function unexplained(gaps: readonly Gap[], take: ModelTake): Gap[] {
  return gaps.filter(
    ({ cause, durationMs }) =>
      !(['browser-busy', 'unknown'].includes(cause) && durationMs <= busyGapMs) &&
      !(cause === 'page-killed' && take.abruptEnds > 0),
  );
}

/** What is wrong with the length of a recording that its owner has. */
function falseLengths({ durationMs }: Recording, take: ModelTake): string[] {
  const { token, recordedMs, shownMs, abruptEnds } = take;
  const minMs = shownMs - toleranceMs - abruptEnds * killLossMs;
  return [
    ...(recordedMs !== null && Math.abs(durationMs - recordedMs) > toleranceMs
      ? [`${token} has ${durationMs} ms, the device recorded ${recordedMs} ms`]
      : []),
    ...(durationMs < minMs ? [`${token} has ${durationMs} ms, the clock showed ${shownMs} ms`] : []),
  ];
}

/** What is wrong with a take that only this device has, because its account was deleted. */
function lostOrphan({ id, token, shownMs, abruptEnds }: ModelTake, { device }: Reading): string[] {
  const stored = device.find((one) => one.id === id);
  if (!stored) return [`${token} of a deleted account is not on this device`];
  const minMs = shownMs - toleranceMs - abruptEnds * killLossMs;
  return stored.durationMs !== null && stored.durationMs < minMs
    ? [`${token} has ${stored.durationMs} ms on this device, the clock showed ${shownMs} ms`]
    : [];
}

/** What is wrong with a recording that should be in the library or the trash of its owner. */
function lostRecording(take: ModelTake, reading: Reading): string[] {
  const { id, token, fate } = take;
  const account = reading.accounts?.find(({ name }) => name === ownerOf(take, reading));
  const place = fate === 'trash' ? account?.trashed : account?.listed;
  const recording = place?.find((one) => one.id === id);
  if (!recording) return [`${token} is not in the ${fate} of ${account?.name ?? 'anybody'}`];
  if (recording.state !== 'ready') return [`${token} is ${recording.state}`];
  const gaps = reading.device.find((one) => one.id === id)?.gaps ?? [];
  return [
    ...falseLengths(recording, take),
    ...unexplained(gaps, take).map(
      ({ cause, durationMs }) => `${token} has a gap of ${durationMs} ms: ${cause}`,
    ),
  ];
}

/** Everything recorded is in its owner's library, with its length and its gaps. */
const nothingLost: Rule = (reading, model) =>
  model.takes.flatMap((take) => {
    if (take.fate === 'orphaned') return lostOrphan(take, reading);
    return take.fate === 'deleted' || take.fate === 'erased' ? [] : lostRecording(take, reading);
  });

/** What must be true once every owner has been signed in with a connection. */
export const lossesOf = (reading: Reading, model: Model): Violation[] =>
  check({ 'nothing is lost': nothingLost }, reading, model);
