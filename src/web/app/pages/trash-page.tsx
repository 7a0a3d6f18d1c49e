export function TrashPage() {
  return null;
}
