import { minute } from '#base/duration.ts';

/**
 * The browser reads a file after the click, or once the person has said where it goes; when it is done it
 * does not say.
 */
const readWithinMs = 10 * minute;

/** A name every file system takes: what they forbid, and letters nobody sees, become a dash. */
export const fileNameOf = (title: string, extension: string): string =>
  `${title
    .replace(/[\\/:*?"<>|\p{Cc}\p{Cf}]+/gu, '-')
    .slice(0, 120)
    .trim()}.${extension}`;

/**
 * Lets the browser download what is at an address; a name that the server gives goes before this one. The
 * link is in the document for the click, so that listeners there meet it.
 */
export function saveFrom(url: string, fileName: string): void {
  const link = Object.assign(document.createElement('a'), { href: url, download: fileName, hidden: true });
  document.body.append(link);
  link.click();
  link.remove();
}

/** Gives the person a file that was made here. */
export function saveFile(file: Blob, fileName: string): void {
  const url = URL.createObjectURL(file);
  saveFrom(url, fileName);
  setTimeout(() => URL.revokeObjectURL(url), readWithinMs);
}
