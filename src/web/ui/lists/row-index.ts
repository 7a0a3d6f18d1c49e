/** The place in its list of the row that an element is in; -1 outside of rows. */
export const rowIndexOf = (element: Element): number =>
  Number(element.closest<HTMLElement>('[data-index]')?.dataset['index'] ?? -1);
