/** Control characters that texts have: tabs, line and page ends, escape. */
const textControls: ReadonlySet<number> = new Set([0x09, 0x0a, 0x0b, 0x0c, 0x0d, 0x1b]);

/** Whether the beginning of a file is text, in which there can be no sound, whatever the file is called. */
export function isText(head: Uint8Array<ArrayBuffer>): boolean {
  if (head.some((byte) => byte < 0x20 && !textControls.has(byte))) return false;
  try {
    // The piece may end within a character.
    new TextDecoder('utf-8', { fatal: true }).decode(head, { stream: true });
    return true;
  } catch {
    return false;
  }
}

/**
 * Whether the beginning of a file is empty space: a recorder that lost power may have written nothing but
 * zeros there.
 */
export const isBlank = (head: Uint8Array): boolean => head.every((byte) => byte === 0);
