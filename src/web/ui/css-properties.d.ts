import 'react';

declare module 'react' {
  /** A style attribute may contain only custom properties. */
  interface CSSProperties {
    [property: `--${string}`]: string | number | undefined;
  }
}
