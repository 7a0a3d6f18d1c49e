import { minute } from '#base/duration.ts';

/**
 * The browser reads a file after the click, or once the user has chosen where to save it, and does not report when
 * it is done.
 */
const readWithinMs = 10 * minute;

/** A name that every file system accepts: forbidden and invisible characters become a dash. */
export const fileNameOf = (title: string, extension: string): string =>
  `${title
    .replace(/[\\/:*?"<>|\p{Cc}\p{Cf}]+/gu, '-')
    .slice(0, 120)
    .trim()}.${extension}`;

/**
 * Downloads from a URL. A file name that the server sends has priority over this one. The link is in the document
 * for the click, so that listeners there see it.
 */
export function saveFrom(url: string, fileName: string): void {
  const link = Object.assign(document.createElement('a'), { href: url, download: fileName, hidden: true });
  document.body.append(link);
  link.click();
  link.remove();
}

/** Downloads a file that was created in the page. */
export function saveFile(file: Blob, fileName: string): void {
  const url = URL.createObjectURL(file);
  saveFrom(url, fileName);
  setTimeout(() => URL.revokeObjectURL(url), readWithinMs);
}
