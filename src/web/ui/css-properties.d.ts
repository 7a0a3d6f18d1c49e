import 'react';

declare module 'react' {
  /** Custom properties are the only thing a style attribute may carry. */
  interface CSSProperties {
    [property: `--${string}`]: string | number | undefined;
  }
}
