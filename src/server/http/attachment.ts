import { endingOf } from '#base/file-name.ts';

/** Characters that some file system forbids or that disguise a name. */
const forbidden = /[\\/:*?"<>|\p{Cc}\u202a-\u202e\u2066-\u2069]/gu;

const named = (stem: string, ending: string): string => `${stem === '' ? 'recording' : stem}${ending}`;

/**
 * Builds a Content-Disposition for every system (RFC 6266 §4.3, RFC 8187): the plain name for old clients, the
 * encoded one for all others.
 */
export function attachment(fileName: string): string {
  const ending = endingOf(fileName);
  const stem = fileName
    .slice(0, fileName.length - ending.length)
    .replace(forbidden, '-')
    .replace(/^\.+/, '')
    .trim();
  // Decomposing a character can produce a forbidden one, for example from a full-width quotation mark.
  const plain = stem
    .normalize('NFKD')
    .replace(/[^\x20-\x7e]/g, '')
    .replace(forbidden, '-')
    .replace(/^[. ]+/, '')
    .trim();
  const encoded = encodeURIComponent(named(stem, ending).toWellFormed()).replace(
    /['()*!]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `attachment; filename="${named(plain, ending)}"; filename*=UTF-8''${encoded}`;
}
