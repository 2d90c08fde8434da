/** What parents decide about the profiles of the account: limits, and titles that are always or never shown. */
import { atom } from 'nanostores'
import { callApi } from '../client/call.ts'
import type { Endpoint, ReplyOf } from '../contract/endpoint.ts'
import * as calls from '../contract/family.ts'
import { loadProfiles } from './profile.ts'
import { createReadStore, type ReadStore, refetch } from './query.ts'
import { showToast } from './toast.ts'
import type { TitleRef } from './watchlist.ts'

/** Returns a function that creates one read store per profile. Parents see the data of several profiles at once. */
export function createStorePerProfile<E extends Endpoint>(
  endpoint: E,
): (profileId: string) => ReadStore<ReplyOf<E>> {
  const stores = new Map<string, ReadStore<ReplyOf<E>>>()
  return (profileId) => {
    const input = { params: { id: profileId } } as Parameters<typeof createReadStore<E>>[1]['value']
    const store = stores.get(profileId) ?? createReadStore(endpoint, atom(input))
    stores.set(profileId, store)
    return store
  }
}

export const getLimitsStore = createStorePerProfile(calls.getProfileLimits)
export const getTitleRulesStore = createStorePerProfile(calls.listTitleRules)

const rulesOfTitles = new Map<string, ReadStore<ReplyOf<typeof calls.listRulesOfTitle>>>()
/** Returns the store of which profiles may see a title. */
export function getRulesOfTitleStore(mediaId: string) {
  const store =
    rulesOfTitles.get(mediaId) ?? createReadStore(calls.listRulesOfTitle, atom({ params: { mediaId } }))
  rulesOfTitles.set(mediaId, store)
  return store
}

/** Changes limits of a profile. Returns whether it succeeded. */
export async function changeLimits(
  profileId: string,
  change: Partial<calls.ProfileLimits>,
): Promise<boolean> {
  try {
    const limits = await callApi(calls.updateProfileLimits, { params: { id: profileId }, body: change })
    getLimitsStore(profileId).mutate(limits)
    await loadProfiles()
    showToast('family:limitsSaved')
    return true
  } catch {
    refetch(calls.getProfileLimits)
    showToast('errors:failed', { kind: 'bad' })
    return false
  }
}

/** Always or never shows a title to a profile; null removes the rule. Returns whether it succeeded. */
export async function changeTitleRule(
  profileId: string,
  { type, id }: TitleRef,
  rule: calls.TitleRule | null,
): Promise<boolean> {
  try {
    await callApi(calls.setTitleRule, { params: { id: profileId, type, mediaId: id }, body: { rule } })
    return true
  } catch {
    showToast('errors:failed', { kind: 'bad' })
    return false
  } finally {
    refetch(calls.listTitleRules, calls.listRulesOfTitle)
  }
}
