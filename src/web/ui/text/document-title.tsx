/** The title of the document: the page's, then the product's, in every language. */
export function DocumentTitle({ children }: { children: string }) {
  return <title>{`${children} · Earshot`}</title>;
}
