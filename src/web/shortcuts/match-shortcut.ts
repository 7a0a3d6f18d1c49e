/** The properties of a keyboard event that decide which shortcut it is. */
export interface KeyStroke {
  key: string;
  code: string;
  shiftKey: boolean;
  ctrlKey: boolean;
  altKey: boolean;
  metaKey: boolean;
}

/** The characters of punctuation keys on a Latin keyboard, alone and with Shift. */
const punctuation: Record<string, string> = {
  Slash: '/?',
  Comma: ',<',
  Period: '.>',
  Semicolon: ';:',
  Quote: '\'"',
  BracketLeft: '[{',
  BracketRight: ']}',
  Backquote: '`~',
};

/** The character of the key on a Latin keyboard, for layouts (Greek, Arabic, Russian …) that type another one. */
function latinKey({ key, code, shiftKey }: KeyStroke): string {
  const isForeignCharacter = /[^\p{ASCII}]/u.test(key);
  if (!isForeignCharacter) return key.length === 1 ? key.toLowerCase() : key;
  if (code.startsWith('Key')) return code.slice(3).toLowerCase();
  if (code.startsWith('Digit')) return code.slice(5);
  // Users of other Latin letters (ö, ø, ñ) have them on their keyboards.
  if (/\p{Script=Latin}/u.test(key)) return key.toLowerCase();
  return punctuation[code]?.[shiftKey ? 1 : 0] ?? key;
}

/**
 * Names the shortcut of a keystroke: `m`, `?`, `7`, `ArrowLeft`, ` `, or with Shift `M`, `Shift+ArrowLeft`. Null
 * with Ctrl, Alt or Meta, which belong to the browser and the system. Shift is part of the name only for keys that
 * type nothing.
 */
export function matchShortcut(stroke: KeyStroke): string | null {
  if (stroke.ctrlKey || stroke.altKey || stroke.metaKey) return null;
  const key = latinKey(stroke);
  const writesNothing = key.length > 1;
  if (!stroke.shiftKey) return key;
  if (writesNothing) return `Shift+${key}`;
  if (key === ' ') return null;
  return /^[a-z]$/.test(key) ? key.toUpperCase() : key;
}
