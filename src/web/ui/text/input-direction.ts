/**
 * The `dir` of a field: what is typed runs its own way; an empty one runs with the page, so that its
 * placeholder stands where reading begins.
 */
export const inputDirection = (typed: string | undefined): 'auto' | undefined =>
  typed === '' ? undefined : 'auto';
