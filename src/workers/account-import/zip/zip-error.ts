/**
 * Why a file cannot be read as a ZIP. `not-zip`: it is not a ZIP, or its end is missing · `damaged`: an entry does
 * not match the directory.
 */
export class ZipError extends Error {
  readonly reason: 'not-zip' | 'damaged';

  constructor(reason: 'not-zip' | 'damaged', message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.name = 'ZipError';
    this.reason = reason;
  }
}
