/**
 * What can be done with one character, as `place.action`, and the key it has until somebody chooses another.
 * An action works in its place alone, so two places may share a key. A capital letter needs Shift. `0-9`
 * stands for ten keys at once; it can be switched off, but no other key can take its part.
 */
export const defaultKeys = {
  'recorder.record': 'r',
  'recorder.pause': 'p',
  'recorder.mark': 'm',
  'recorder.note': 'n',
  // No key ends a recording unless one was chosen for that.
  'recorder.stop': null,
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
  'player.start': 'i',
  'player.end': 'o',
  'player.loop': 'r',
  'player.silence': 's',
  'player.live': 'g',
  'player.zoomIn': '+',
  'player.zoomOut': '-',
  'everywhere.help': '?',
} as const;

export type KeyAction = keyof typeof defaultKeys;

/** What goes on as long as its key is held; everything else happens once a press. */
const steppingActions: ReadonlySet<KeyAction> = new Set<KeyAction>([
  'player.back',
  'player.forward',
  'player.slower',
  'player.faster',
  'player.zoomIn',
  'player.zoomOut',
]);

/** The keys somebody chose, where they differ from the defaults; null is switched off. */
export type ChosenKeys = Readonly<Partial<Record<KeyAction, string | null>>>;

/** The ten digits, as one key. */
export const digitKeys = defaultKeys['player.tenth'];

/** Whether `name` is one of the actions. */
export const isKeyAction = (name: string): name is KeyAction => Object.hasOwn(defaultKeys, name);

/** Whether holding the key of an action does it again and again. */
export const isStepping = (action: KeyAction): boolean => steppingActions.has(action);

/** The key an action has, null when it is switched off. */
export function keyIn(chosen: ChosenKeys, action: KeyAction): string | null {
  const key = chosen[action];
  return key === undefined ? defaultKeys[action] : key;
}
