/** Titles that a child has disliked, and that a parent can show to the child again. */
import { selectFeedback, selectTitlesByFeedback, setTitleFeedback } from '../../queries/feedback.ts'
import { lockReactions } from '../../queries/reaction.ts'
import { loadAudience } from '../auth/audience.ts'
import { getTitleLanguage, type ProfileCaller, type Viewer } from '../auth/caller.ts'
import { loadCards } from '../catalogue/cards.ts'
import { findVisibleTitle, parseId } from '../catalogue/titles.ts'
import type { ProfileContext, RequestContext, TitleRef } from '../context.ts'
import { publishAccountEvent } from '../events/account-events.ts'
import { recordProfileAuditEvent } from '../profiles/profiles.ts'

const MAX_LISTED_TITLES = 100

/** Returns the disliked titles of the profile in the path. Only titles that the parent may see are included. */
export async function listHiddenTitles({ deps, caller }: ProfileContext) {
  const audience = await loadAudience(deps, caller)
  const { rows } = await selectTitlesByFeedback(deps.database.primary, audience, {
    profileId: caller.profile.profile_id,
    feedback: 'disliked',
    page: 1,
    limit: MAX_LISTED_TITLES,
  })
  return { results: await loadCards(deps, rows, getTitleLanguage(caller)) }
}

/** Stores or removes the dislike of a title. Throws 404 for a title that the parent may not see. */
export async function setTitleHidden(
  context: RequestContext<ProfileCaller>,
  { type, mediaId }: TitleRef,
  isHidden: boolean,
): Promise<{ hidden: boolean }> {
  const { deps, caller } = context
  const { profile_id: profileId } = caller.profile
  const viewer: Viewer = { ...caller, audience: await loadAudience(deps, caller) }
  const { title_id: titleId } = await findVisibleTitle(deps, viewer, type, { id: parseId(mediaId) })
  await deps.database.primary.transaction().execute(async (trx) => {
    await lockReactions(trx, profileId)
    // If the profile has liked the title meanwhile, the like stays. A repeated call changes nothing.
    if ((await selectFeedback(trx, profileId, titleId)) !== (isHidden ? null : 'disliked')) return
    await setTitleFeedback(trx, {
      profileId,
      titleId,
      feedback: isHidden ? 'disliked' : null,
      nowMs: deps.now(),
    })
    await recordProfileAuditEvent(trx, context, 'profile_hidden_title', profileId)
  })
  publishAccountEvent(context, 'feedback')
  return { hidden: isHidden }
}
