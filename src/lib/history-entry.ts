/**
 * A history entry belongs to the profile that opened it, because its URL may contain a search or a title of this
 * profile. The state of an entry contains the id of that profile (stores/history-entries.ts).
 */
interface HistoryEntryState {
  profile?: string | null
}

/**
 * Returns the id of the profile that opened the current history entry; null or undefined when no profile is recorded.
 */
export const getEntryProfileId = () => (history.state as HistoryEntryState | null)?.profile

/**
 * Returns true if another profile than `profileId` opened the current history entry. Returns false when `profileId` is
 * null, and when no profile is recorded for the entry.
 */
export function isEntryOfOtherProfile(profileId: string | null): boolean {
  const entryProfileId = getEntryProfileId()
  return !!profileId && !!entryProfileId && entryProfileId !== profileId
}
