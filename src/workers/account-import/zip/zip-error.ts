/**
 * Why a file cannot be read as a ZIP. `not-zip`: it is none, or its end is missing · `damaged`: an entry is
 * not what the directory says.
 */
export class ZipError extends Error {
  readonly reason: 'not-zip' | 'damaged';

  constructor(reason: 'not-zip' | 'damaged', message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.name = 'ZipError';
    this.reason = reason;
  }
}
