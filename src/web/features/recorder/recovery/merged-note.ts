const separator = '\n\n';

/**
 * The text that a note on the server gets. Someone may have changed it there since this device sent it: then
 * both texts stay, and what this device writes later replaces its own part alone.
 * @param sent what this device last sent
 */
export function mergedNoteText(there: string, sent: string, text: string): string {
  if (there === sent || there === text) return text;
  const isOurs = (part: string) => there.endsWith(`${separator}${part}`);
  if (isOurs(text)) return there;
  return isOurs(sent)
    ? `${there.slice(0, there.length - sent.length)}${text}`
    : `${there}${separator}${text}`;
}
