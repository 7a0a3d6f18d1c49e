export type Method = 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
/** Method and path of an endpoint that is written as `METHOD /path`. */
export type Split<Text> = Text extends `${infer M extends Method} ${infer P}`
  ? { method: M; path: P }
  : never;

/** Splits `METHOD /path`. */
export function splitRoute<const Text extends string>(text: Text): Split<Text> {
  const [method, path] = text.split(' ');
  return { method, path } as Split<Text>;
}

/** Fills the `:name` parts of an endpoint's path, percent-encoded. */
export function pathOf({ path }: { path: string }, params: Record<string, string>): string {
  return path.replace(/:([A-Za-z]+)/g, (_, name: string) => {
    const value = params[name];
    if (value === undefined) throw new TypeError(`path ${path} needs a value for :${name}`);
    return encodeURIComponent(value);
  });
}
