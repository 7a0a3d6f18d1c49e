import { regionalTag } from '#base/regional-tag.ts';

/** The tag to format dates and numbers by, from the interface language and the languages of the browser. */
export const regionalLocale = (
  tag: string,
  preferred: readonly string[] = globalThis.navigator?.languages ?? [],
): string => regionalTag(tag, preferred);
