export function RecorderPage() {
  return null;
}
