/** Texts by plural category or by exact number (`=0`); `#` is the number. */
type Forms = Readonly<Record<string, string>> & { readonly other: string };

/** The part of React Aria's formatter that its dictionaries use. */
interface Formatter {
  plural(count: number, options: Record<string, () => string>): string;
  number(value: number): string;
}

/** What React Aria says in the components that this app uses; `{item}` and `{link}` are filled in. */
export interface AriaWords {
  close: string;
  notifications: Forms;
  clearSearch: string;
  dismiss: string;
  openMenu: string;
  suggestions: string;
  showSuggestions: string;
  suggestionsFound: Forms;
  suggestionChosen: string;
  select: string;
  selectedItem: string;
  deselectedItem: string;
  selectedCount: Forms;
  selectedAll: string;
  longPressToSelect: string;
  rowHasAction: string;
  rowHasLink: string;
  empty: string;
}

const counted =
  (forms: Forms, nameOfCount = 'count') =>
  (values: Record<string, number>, formatter: Formatter): string => {
    const count = values[nameOfCount] ?? 0;
    return formatter.plural(
      count,
      Object.fromEntries(
        Object.entries(forms).map(([category, text]) => [
          category,
          () => text.replace('#', formatter.number(count)),
        ]),
      ),
    );
  };

const filled =
  (text: string, name: string, nameHere = 'item') =>
  (values: Record<string, string>): string =>
    text.replace(`{${nameHere}}`, () => values[name] ?? '');

/** A dictionary in React Aria's form, for a language that it does not have. */
export function ariaDictionary(words: AriaWords) {
  return {
    '@react-aria/toast': { close: words.close, notifications: counted(words.notifications) },
    '@react-aria/searchfield': { 'Clear search': words.clearSearch },
    '@react-aria/overlays': { dismiss: words.dismiss },
    '@react-aria/menu': { longPressMessage: words.openMenu },
    '@react-aria/autocomplete': { collectionLabel: words.suggestions },
    '@react-aria/combobox': {
      focusAnnouncement: filled('{item}', 'optionText'),
      countAnnouncement: counted(words.suggestionsFound, 'optionCount'),
      selectedAnnouncement: filled(words.suggestionChosen, 'optionText'),
      buttonLabel: words.showSuggestions,
      listboxLabel: words.suggestions,
    },
    '@react-aria/grid': {
      select: words.select,
      selectedItem: filled(words.selectedItem, 'item'),
      deselectedItem: filled(words.deselectedItem, 'item'),
      selectedCount: counted(words.selectedCount),
      selectedAll: words.selectedAll,
      longPressToSelect: words.longPressToSelect,
    },
    '@react-aria/gridlist': {
      hasActionAnnouncement: words.rowHasAction,
      hasLinkAnnouncement: filled(words.rowHasLink, 'link', 'link'),
    },
    '@react-aria/spinbutton': { Empty: words.empty },
  };
}
