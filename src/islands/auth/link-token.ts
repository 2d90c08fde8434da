import { readStorage, writeStorage } from '../../lib/storage.ts'

/**
 * Returns the token of the link that opened this tab; empty if there is none. The token is removed from the URL, so
 * that it does not appear in the history or in screenshots. It is kept in session storage under `storageKey`, and read
 * from there after a reload.
 */
export function moveLinkTokenToStorage(storageKey: string): string {
  const query = new URLSearchParams(location.search)
  const token = query.get('token')
  if (token === null) return readStorage('sessionStorage', storageKey) ?? ''
  writeStorage('sessionStorage', storageKey, token)
  query.delete('token')
  history.replaceState(history.state, '', location.pathname + (query.size > 0 ? `?${query}` : ''))
  return token
}
