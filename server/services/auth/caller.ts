/**
 * Types that describe who sent a request. The access of an endpoint determines which type its handler
 * receives.
 */
import { getLocalDate, isTimeZone } from '../../../src/lib/rules/local-time.ts'
import type { RequestInfo } from '../../core/request-info.ts'
import type { ActiveLogin } from '../../queries/caller.ts'
import type { InvitationRow } from '../../queries/invitation.ts'
import type { CallerProfile, ProfileRow } from '../../queries/profile.ts'
import type { Audience } from '../../queries/title-scope.ts'

/**
 * A signed-in caller. `catalogueVersion` is the oldest version of the catalogue that the response may be built from.
 */
export interface Caller extends ActiveLogin {
  /** The profile that acts on this device; null when none was chosen, or when it is locked. */
  acting: CallerProfile | null
  /** The other profiles that watch together with the acting profile; empty without a group. */
  group: readonly CallerProfile[]
}
export interface Viewer extends Caller {
  audience: Audience
}
export interface ProfileCaller extends Viewer {
  /** The profile that the path of the request names. */
  profile: CallerProfile
}
export interface InvitationCaller {
  invitation: InvitationRow
}

interface TitleLanguageSource {
  account: Pick<Caller['account'], 'interface_language' | 'title_language'>
  acting: Pick<ProfileRow, 'language' | 'media_title_language'> | null
}

/**
 * Returns the language in which a caller reads the names of titles, or `original`. The choice of the acting profile
 * comes first. Without a choice, it is the language of the acting profile if that language differs from the interface
 * language of the account. Otherwise, and without an acting profile, it is the title language of the account.
 */
export function getTitleLanguage({ account, acting: actingProfile }: TitleLanguageSource): string {
  if (actingProfile?.media_title_language === 'profile') return actingProfile.language
  if (actingProfile?.media_title_language) return actingProfile.media_title_language
  return actingProfile && actingProfile.language !== account.interface_language
    ? actingProfile.language
    : account.title_language
}

/** Language of overviews and taglines for a caller: that of the acting profile, otherwise the interface language. */
export function getOverviewLanguage({
  account,
  acting: actingProfile,
}: Pick<Caller, 'account' | 'acting'>): string {
  return actingProfile?.language ?? account.interface_language
}

const MAX_TIME_ZONE_LENGTH = 64

/**
 * Returns the IANA name of the time zone that a request names; null if the request names no time zone that this server
 * knows.
 */
export const getRequestTimeZone = ({ timeZone }: Pick<RequestInfo, 'timeZone'>): string | null =>
  timeZone !== null && timeZone.length <= MAX_TIME_ZONE_LENGTH && isTimeZone(timeZone) ? timeZone : null

/**
 * Returns the date of the viewer at a time, `YYYY-MM-DD`: the date in the time zone of the device, or in UTC if the
 * device has named no time zone.
 */
export const getViewerDate = (
  { login }: { login: Pick<ActiveLogin['login'], 'time_zone'> },
  timeMs: number,
) => getLocalDate(timeMs, login.time_zone)

/** Returns the ids of the profiles that watch: the profile in the path and, if this profile acts, its group. */
export const listViewerIds = ({
  profile,
  acting: actingProfile,
  group: groupProfiles,
}: Pick<ProfileCaller, 'profile' | 'acting' | 'group'>): string[] =>
  [profile, ...(actingProfile?.profile_id === profile.profile_id ? groupProfiles : [])].map(
    ({ profile_id }) => profile_id,
  )
