/** The title of the document: what is on the page, then the product, in every language. */
export function DocumentTitle({ children }: { children: string }) {
  return <title>{`${children} · Earshot`}</title>;
}
