import type { World } from './world.ts';

export const readPath = ({ page }: World): Promise<string> => page.evaluate(() => location.pathname);

/** Goes to another page of the app as its links do, without a reload. */
export async function goTo({ page }: Pick<World, 'page'>, path: string): Promise<void> {
  await page.evaluate((to) => {
    history.pushState(null, '', to);
    dispatchEvent(new PopStateEvent('popstate'));
  }, path);
}
