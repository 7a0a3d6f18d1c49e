/** ECMA-402 Intl.DurationFormat, which the compiler's ES2024 library does not have yet. */
declare namespace Intl {
  interface DurationParts {
    hours?: number;
    minutes?: number;
    seconds?: number;
    milliseconds?: number;
  }
  interface DurationFormatOptions {
    style?: 'long' | 'short' | 'narrow' | 'digital';
  }
  class DurationFormat {
    constructor(locales?: string | readonly string[], options?: DurationFormatOptions);
    format(duration: DurationParts): string;
  }
}
