/** How a file's name ends, with its dot: `.mp3`; empty where it has no plain ending. */
export const endingOf = (fileName: string): string => /\.[A-Za-z0-9]{1,10}$/.exec(fileName)?.[0] ?? '';
