/** Texts by plural category or by exact number (`=0`); `#` is the number. */
type Forms = Readonly<Record<string, string>> & { readonly other: string };

/** The part of React Aria's formatter that its dictionaries use. */
interface Formatter {
  plural(count: number, options: Record<string, () => string>): string;
  number(value: number): string;
}

/** The texts of the React Aria components that this app uses. `{item}` and `{link}` are placeholders. */
export interface AriaMessages {
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

/** A dictionary in React Aria's format, for a language that it does not have. */
export function ariaDictionary(messages: AriaMessages) {
  return {
    '@react-aria/toast': { close: messages.close, notifications: counted(messages.notifications) },
    '@react-aria/searchfield': { 'Clear search': messages.clearSearch },
    '@react-aria/overlays': { dismiss: messages.dismiss },
    '@react-aria/menu': { longPressMessage: messages.openMenu },
    '@react-aria/autocomplete': { collectionLabel: messages.suggestions },
    '@react-aria/combobox': {
      focusAnnouncement: filled('{item}', 'optionText'),
      countAnnouncement: counted(messages.suggestionsFound, 'optionCount'),
      selectedAnnouncement: filled(messages.suggestionChosen, 'optionText'),
      buttonLabel: messages.showSuggestions,
      listboxLabel: messages.suggestions,
    },
    '@react-aria/grid': {
      select: messages.select,
      selectedItem: filled(messages.selectedItem, 'item'),
      deselectedItem: filled(messages.deselectedItem, 'item'),
      selectedCount: counted(messages.selectedCount),
      selectedAll: messages.selectedAll,
      longPressToSelect: messages.longPressToSelect,
    },
    '@react-aria/gridlist': {
      hasActionAnnouncement: messages.rowHasAction,
      hasLinkAnnouncement: filled(messages.rowHasLink, 'link', 'link'),
    },
    '@react-aria/spinbutton': { Empty: messages.empty },
  };
}
