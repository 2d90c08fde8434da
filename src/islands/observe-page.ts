/**
 * Returns a function that returns whether the user is still on the current page. A slow reply must not open another
 * page after the user has left the page on which the request was made.
 */
export function observePage(): () => boolean {
  const getHistoryIndex = () => (history.state as { index?: number } | null)?.index
  const { pathname } = location
  const historyIndex = getHistoryIndex()
  return () => location.pathname === pathname && getHistoryIndex() === historyIndex
}
