/** The index of the row that contains an element; -1 outside of rows. */
export const rowIndexOf = (element: Element): number =>
  Number(element.closest<HTMLElement>('[data-index]')?.dataset['index'] ?? -1);
