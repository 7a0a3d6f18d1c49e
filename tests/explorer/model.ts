import type { Reading } from './reading.ts';

export const ownerNames = ['Ana', 'Ben'] as const;
export type OwnerName = (typeof ownerNames)[number];

/** A take, by the word in its title, which no other take has. */
export interface ModelTake {
  token: string;
  id: string;
  /** The tab that recorded it, until the browser was killed. */
  tab: number | null;
  /** Who was signed in at each press on Record and Continue; null: nobody. */
  speakers: (OwnerName | null)[];
  /** The first account that it belonged to. */
  owner: OwnerName | null;
  /** The longest length that the screen showed while it ran. */
  shownMs: number;
  /** The length that the device's record of the stopped take says; null while it runs. */
  recordedMs: number | null;
  /** How often its page or its browser ended while it ran. */
  abruptEnds: number;
  /**
   * Where it should be. `erased`: on no screen, because the server had all of it when its account was deleted.
   * `orphaned`: on this device only, because the server lacked a part then.
   */
  fate: 'library' | 'trash' | 'deleted' | 'erased' | 'orphaned';
}

export interface ModelLink {
  url: string;
  takeId: string;
  /**
   * `off`: its recording was in the trash, and its owner can turn it on. `suspended`: its account is turned off.
   * `ended`: its owner stopped sharing, or is gone.
   */
  state: 'on' | 'off' | 'suspended' | 'ended';
  /** Where the part of the link ends; null: it grows with the recording. */
  boundMs: number | null;
}

/** What should be true, by the acts so far. */
export interface Model {
  isOnline: boolean;
  isServerUp: boolean;
  /** The server's disk has no space. */
  isServerFull: boolean;
  /** This browser's storage has no space. */
  isDeviceFull: boolean;
  /** Who can sign in. */
  standings: Record<OwnerName, 'active' | 'disabled' | 'deleted'>;
  /** Who is signed in in this browser. */
  signedIn: OwnerName | null;
  /** Whose session ended without a sign-out, until somebody signs in or out. */
  left: OwnerName | null;
  /** How many tabs, the first ones, were open then. A later one knows nobody. */
  leftTabs: number;
  takes: ModelTake[];
  links: ModelLink[];
  /** What *Undo* brings back. */
  undo: { take: ModelTake; fate: ModelTake['fate']; links: ModelLink[] } | null;
  /** Imported files, by the word in their name. */
  imports: { token: string; owner: OwnerName }[];
}

export const newModel = (): Model => ({
  isOnline: true,
  isServerUp: true,
  isServerFull: false,
  isDeviceFull: false,
  standings: { Ana: 'active', Ben: 'active' },
  signedIn: null,
  left: null,
  leftTabs: 0,
  takes: [],
  links: [],
  undo: null,
  imports: [],
});

/** To whom a tab gives what it records. Nothing is given to a deleted account. */
export const speakerAt = ({ signedIn, left, leftTabs, standings }: Model, tab: number): OwnerName | null =>
  signedIn ?? (tab < leftTabs && left !== null && standings[left] !== 'deleted' ? left : null);

export const isReachable = ({ isOnline, isServerUp }: Model): boolean => isOnline && isServerUp;

/** Whether the server can be reached, and stores what it is sent. */
export const isStoring = (model: Model): boolean => isReachable(model) && !model.isServerFull;

/** The owners that can sign in. */
export const activeOwners = ({ standings }: Model): OwnerName[] =>
  ownerNames.filter((name) => standings[name] === 'active');

/** The current owner of a take: what the device's record says, else the account that lists it. */
export function ownerOf({ id }: Pick<ModelTake, 'id'>, { device, accounts }: Reading): OwnerName | null {
  const stored = device.find((take) => take.id === id);
  if (stored) return stored.owner;
  const account = accounts?.find(({ listed, trashed }) =>
    [...listed, ...trashed].some((recording) => recording.id === id),
  );
  return account?.name ?? null;
}

/** Learns from a reading how long each take is, as the product itself states it, and whose it is. */
export function observe(model: Model, reading: Reading): void {
  for (const take of model.takes) {
    take.owner ??= ownerOf(take, reading);
    const stored = reading.device.find(({ id }) => id === take.id);
    if (!stored) continue;
    take.recordedMs = stored.state === 'stopped' ? stored.durationMs : null;
    const clocks = reading.surfaces
      .filter(({ tab, isCapturing }) => stored.isRunning && isCapturing && tab === take.tab)
      .map(({ clockMs }) => clockMs);
    take.shownMs = Math.max(take.shownMs, ...clocks);
  }
}
