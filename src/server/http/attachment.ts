import { endingOf } from '#base/file-name.ts';

/** What no file system takes, or what hides in a name. */
const forbidden = /[\\/:*?"<>|\p{Cc}\u202a-\u202e\u2066-\u2069]/gu;

const named = (stem: string, ending: string): string => `${stem === '' ? 'recording' : stem}${ending}`;

/**
 * A Content-Disposition for every system (RFC 6266 §4.3, RFC 8187): the plain name for old clients, the
 * encoded one for the rest.
 */
export function attachment(fileName: string): string {
  const ending = endingOf(fileName);
  const stem = fileName
    .slice(0, fileName.length - ending.length)
    .replace(forbidden, '-')
    .replace(/^\.+/, '')
    .trim();
  // A sign that is taken apart may hold a forbidden one: a full-width quotation mark, say.
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
