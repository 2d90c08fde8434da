/** Decisions of parents about the profiles of the account: limits, and titles that are always or never shown. */
import { computed, type ReadableAtom } from 'nanostores'
import { type CallInput, callApi } from '../client/call.ts'
import type { Endpoint, ReplyOf } from '../contract/endpoint.ts'
import * as calls from '../contract/family.ts'
import { listHiddenTitles, setTitleHidden } from '../contract/hidden-titles.ts'
import type { ProfileLimits } from '../contract/profile-limits.ts'
import { changeGuideLimits, findGuideChanges } from '../rules/maturity.ts'
import { saveOptimistically } from './optimistic-writes.ts'
import { perProfile } from './per-profile.ts'
import { loadProfiles } from './profile.ts'
import { createReadStore, type ReadStore, refetch } from './query.ts'
import { showFailure, showToast } from './toast.ts'
import type { TitleRef } from './watchlist.ts'

/**
 * Returns a function that returns the read store of a profile. The function creates the store at the first call for the
 * profile. There is one store per profile, because parents see the data of several profiles on one page.
 */
export function createStorePerProfile<E extends Endpoint>(
  endpoint: E,
): (profileId: string) => ReadStore<ReplyOf<E>> {
  const storesByProfileId = new Map<string, ReadStore<ReplyOf<E>>>()
  return (profileId) => {
    const store =
      storesByProfileId.get(profileId) ??
      createReadStore(
        endpoint,
        perProfile(() => ({ params: { id: profileId } })) as ReadableAtom<object> as ReadableAtom<
          CallInput<E>
        >,
      )
    storesByProfileId.set(profileId, store)
    return store
  }
}

export const getLimitsStore = createStorePerProfile(calls.getProfileLimits)
export const getTitleRulesStore = createStorePerProfile(calls.listTitleRules)
export const getHiddenTitlesStore = createStorePerProfile(listHiddenTitles)

/** Id of the title whose title rules are open in a dialog; null when the dialog is closed. */
export const $rulesTitleId = perProfile<string | null>(() => null)
/** For each profile: the rule of the title `$rulesTitleId`, and whether the profile may see the title. */
export const $rulesOfTitle = createReadStore(
  calls.listRulesOfTitle,
  computed($rulesTitleId, (mediaId) => (mediaId === null ? null : { params: { mediaId } })),
)

/**
 * Changes limits of a profile, and shows the new limits immediately. Of the parental guide, sends only the categories
 * that have changed, so that changes that were made on other devices are kept. Returns true on success. Shows a message
 * only on failure.
 */
export async function changeLimits(
  profileId: string,
  { guide, ...change }: Partial<ProfileLimits>,
): Promise<boolean> {
  const limitsStore = getLimitsStore(profileId)
  const shownLimits = limitsStore.get().data
  const guideChanges = guide && shownLimits && findGuideChanges(shownLimits.guide, guide)
  const guideFields = guideChanges ? { guide_changes: guideChanges } : guide && { guide }
  const isSaved = await saveOptimistically(limitsStore, {
    applyChange: (limits) => ({
      ...limits,
      ...change,
      ...(guideChanges && { guide: changeGuideLimits(limits.guide, guideChanges) }),
    }),
    send: () =>
      callApi(calls.updateProfileLimits, {
        params: { id: profileId },
        body: { ...change, ...guideFields },
      }),
  })
  // The limits are saved even if this read fails.
  if (isSaved) await loadProfiles().catch(() => {})
  return isSaved
}

/**
 * Sets the rule of a title for a profile: always or never visible. Null removes the rule. A rule without `expiresAt`
 * does not expire. Returns true on success.
 */
export async function changeTitleRule(
  profileId: string,
  { type, id }: TitleRef,
  rule: calls.TitleRule | null,
  expiresAt: string | null = null,
): Promise<boolean> {
  try {
    await callApi(calls.setTitleRule, {
      params: { id: profileId, type, mediaId: id },
      body: { rule, ...(expiresAt && { expires_at: expiresAt }) },
    })
    return true
  } catch (error) {
    showFailure(error)
    return false
  } finally {
    refetch(calls.listTitleRules, calls.listRulesOfTitle)
  }
}

/** Shows a disliked title to a profile again, and offers Undo. */
export async function unhideTitle(profileId: string, { type, id }: TitleRef): Promise<void> {
  const saveTitleHidden = async (hidden: boolean): Promise<boolean> => {
    try {
      await callApi(setTitleHidden, { params: { id: profileId, type, mediaId: id }, body: { hidden } })
      return true
    } catch (error) {
      showFailure(error)
      return false
    } finally {
      refetch(listHiddenTitles)
    }
  }
  if (await saveTitleHidden(false)) showToast('family:shownAgain', { undo: () => void saveTitleHidden(true) })
}
