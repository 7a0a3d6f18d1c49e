/**
 * The actions with a single-character key, as `place.action`, and their keys. An action works in its place alone, so
 * two places may share a key. A capital letter needs Shift. `0-9` is ten keys at once. No key ends a recording.
 */
export const actionKeys = {
  'recorder.record': 'r',
  'recorder.pause': 'p',
  'recorder.mark': 'm',
  'recorder.note': 'n',
  'player.play': 'k',
  'player.back': 'j',
  'player.forward': 'l',
  'player.tenth': '0-9',
  'player.slower': '<',
  'player.faster': '>',
  'player.mark': 'm',
  'player.favourite': 'f',
  'player.note': 'n',
  'player.mute': 'M',
  // S skips silence.
  'player.share': 'S',
  'player.start': 'i',
  'player.end': 'o',
  'player.loop': 'r',
  'player.silence': 's',
  'player.live': 'g',
  'player.transcript': 't',
  'player.find': '/',
  'player.zoomIn': '+',
  'player.zoomOut': '-',
  'everywhere.help': '?',
} as const;

export type KeyAction = keyof typeof actionKeys;

/** Actions that repeat while their key is held. All others run once per press. */
const steppingActions: ReadonlySet<KeyAction> = new Set<KeyAction>([
  'player.back',
  'player.forward',
  'player.slower',
  'player.faster',
  'player.zoomIn',
  'player.zoomOut',
]);

/** The ten digits, as one key. */
export const digitKeys = actionKeys['player.tenth'];

/** Whether `name` is one of the actions. */
export const isKeyAction = (name: string): name is KeyAction => Object.hasOwn(actionKeys, name);

/** Whether the action repeats while its key is held. */
export const isStepping = (action: KeyAction): boolean => steppingActions.has(action);
