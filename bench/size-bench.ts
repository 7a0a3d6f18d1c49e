import { initialSizes, sizeBudgets } from '#scripts/initial-sizes.ts';
import { round, type Row, type Section } from './figures.ts';

/** Compares initial JavaScript and CSS with their budgets. */
export function sizeBench(): Section {
  const { javaScriptKb, cssKb } = initialSizes();
  const rows: Row[] = [
    { what: 'initial JavaScript, gzip', kB: round(javaScriptKb), 'budget kB': sizeBudgets.javaScriptKb },
    { what: 'initial CSS, gzip', kB: round(cssKb), 'budget kB': sizeBudgets.cssKb },
  ];
  return {
    title: 'What the first visit loads',
    note: 'The entry chunk and everything it imports statically; one catalogue (at most 15 kB) loads in addition.',
    rows,
  };
}
