/** Control characters of text: tabs, line and page breaks, escape. */
const textControls: ReadonlySet<number> = new Set([0x09, 0x0a, 0x0b, 0x0c, 0x0d, 0x1b]);

/** Whether the start of a file is text, which cannot contain sound, whatever its name is. */
export function isText(head: Uint8Array<ArrayBuffer>): boolean {
  if (head.some((byte) => byte < 0x20 && !textControls.has(byte))) return false;
  try {
    // The bytes may end within a character.
    new TextDecoder('utf-8', { fatal: true }).decode(head, { stream: true });
    return true;
  } catch {
    return false;
  }
}

/** Whether the start of a file is blank: a recorder that lost power may have written only zeros there. */
export const isBlank = (head: Uint8Array): boolean => head.every((byte) => byte === 0);
