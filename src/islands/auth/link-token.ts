import { readStorage, writeStorage } from '../../lib/storage.ts'

/**
 * Returns the token of the link that opened this tab. It is removed from the URL, so that it does not stay in the history and in
 * screenshots; after a reload it comes from session storage, where it is stored as `key`.
 */
export function moveTokenToStorage(key: string): string {
  const query = new URLSearchParams(location.search)
  const token = query.get('token')
  if (token === null) return readStorage('sessionStorage', key) ?? ''
  writeStorage('sessionStorage', key, token)
  query.delete('token')
  history.replaceState(history.state, '', location.pathname + (query.size > 0 ? `?${query}` : ''))
  return token
}
