const separator = '\n\n';

/**
 * The text to store for a note on the server. If another device has changed the note since this one last sent it,
 * both texts are included, and later edits on this device replace only its own part.
 * @param there the text on the server
 * @param sent the text that this device last sent
 */
export function mergedNoteText(there: string, sent: string, text: string): string {
  if (there === sent || there === text) return text;
  const isOurs = (part: string) => there.endsWith(`${separator}${part}`);
  if (isOurs(text)) return there;
  return isOurs(sent)
    ? `${there.slice(0, there.length - sent.length)}${text}`
    : `${there}${separator}${text}`;
}
