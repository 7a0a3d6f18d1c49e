/**
 * The `dir` of a field. Typed text has its own direction; an empty field has the page's, so that the placeholder
 * starts where reading begins.
 */
export const inputDirection = (typed: string | undefined): 'auto' | undefined =>
  typed === '' ? undefined : 'auto';
