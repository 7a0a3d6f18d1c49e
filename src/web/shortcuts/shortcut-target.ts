/** Elements where one-letter keys type text, or belong to the focused control (WCAG 2.1.4). */
const typing =
  'input:not([type=button], [type=checkbox], [type=radio], [type=range], [type=submit]), textarea, [contenteditable]:not([contenteditable=false])';
const overlay = '[role=dialog], [role=alertdialog], [role=menu], [role=listbox]';
const usesArrows =
  'select, input[type=range], input[type=radio], [role=slider], [role=radiogroup], [role=tablist], [role=grid], [role=toolbar], [role=separator]';
const usesLetters = 'select, [role=grid]';
const usesPress =
  'button, a[href], summary, input, select, [role=button], [role=row], [role=option], [role=tab], [role=switch]';

const usesKey = (target: Element, name: string): boolean => {
  if (name === ' ' || name === 'Enter') return target.closest(usesPress) !== null;
  if (/^(Shift\+)?(Arrow|Home|End|Page)/.test(name)) return target.closest(usesArrows) !== null;
  return name.length === 1 && target.closest(usesLetters) !== null;
};

/** Whether a shortcut may run while the focus is on `target`. */
export function isFreeForShortcut(target: EventTarget | null, name: string): boolean {
  if (!(target instanceof Element)) return true;
  if (target.closest(typing) || target.closest(overlay)) return false;
  return !usesKey(target, name);
}
