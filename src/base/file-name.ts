/** The file extension with its dot, such as `.mp3`; empty if there is no plain extension. */
export const endingOf = (fileName: string): string => /\.[A-Za-z0-9]{1,10}$/.exec(fileName)?.[0] ?? '';
