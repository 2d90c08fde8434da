/**
 * Types of the translation keys, derived from the English files. A misspelt key does not compile. tests/house compares
 * the other languages with the English files.
 */
import type account from '../../i18n/en/account.json'
import type activity from '../../i18n/en/activity.json'
import type auth from '../../i18n/en/auth.json'
import type bin from '../../i18n/en/bin.json'
import type browse from '../../i18n/en/browse.json'
import type calendar from '../../i18n/en/calendar.json'
import type common from '../../i18n/en/common.json'
import type customise from '../../i18n/en/customise.json'
import type dashboard from '../../i18n/en/dashboard.json'
import type dashboardlibrary from '../../i18n/en/dashboardlibrary.json'
import type dashboardpeople from '../../i18n/en/dashboardpeople.json'
import type dashboardsystem from '../../i18n/en/dashboardsystem.json'
import type detail from '../../i18n/en/detail.json'
import type emailchange from '../../i18n/en/emailchange.json'
import type errors from '../../i18n/en/errors.json'
import type family from '../../i18n/en/family.json'
import type genres from '../../i18n/en/genres.json'
import type guide from '../../i18n/en/guide.json'
import type header from '../../i18n/en/header.json'
import type history from '../../i18n/en/history.json'
import type home from '../../i18n/en/home.json'
import type jobs from '../../i18n/en/jobs.json'
import type link from '../../i18n/en/link.json'
import type lists from '../../i18n/en/lists.json'
import type mail from '../../i18n/en/mail.json'
import type mylist from '../../i18n/en/mylist.json'
import type notices from '../../i18n/en/notices.json'
import type onboarding from '../../i18n/en/onboarding.json'
import type profiles from '../../i18n/en/profiles.json'
import type ratings from '../../i18n/en/ratings.json'
import type reasons from '../../i18n/en/reasons.json'
import type remote from '../../i18n/en/remote.json'
import type requests from '../../i18n/en/requests.json'
import type reset from '../../i18n/en/reset.json'
import type searchpage from '../../i18n/en/searchpage.json'
import type secondfactor from '../../i18n/en/secondfactor.json'
import type security from '../../i18n/en/security.json'
import type seen from '../../i18n/en/seen.json'
import type statistics from '../../i18n/en/statistics.json'
import type status from '../../i18n/en/status.json'
import type taste from '../../i18n/en/taste.json'
import type titlerules from '../../i18n/en/titlerules.json'
import type transfer from '../../i18n/en/transfer.json'
import type viewingtime from '../../i18n/en/viewingtime.json'
import type watch from '../../i18n/en/watch.json'
import type watchnext from '../../i18n/en/watchnext.json'

/** Removes the plural suffix from a key. */
type WithoutPluralSuffix<K extends string> =
  K extends `${infer Base}_${'zero' | 'one' | 'two' | 'few' | 'many' | 'other'}` ? Base : K
type QualifiedKey<N extends string, T> = `${N}:${WithoutPluralSuffix<keyof T & string>}`

export type TranslationNamespace = keyof TranslationTables
interface TranslationTables {
  account: typeof account
  activity: typeof activity
  auth: typeof auth
  bin: typeof bin
  browse: typeof browse
  calendar: typeof calendar
  common: typeof common
  customise: typeof customise
  dashboard: typeof dashboard
  dashboardlibrary: typeof dashboardlibrary
  dashboardpeople: typeof dashboardpeople
  dashboardsystem: typeof dashboardsystem
  detail: typeof detail
  emailchange: typeof emailchange
  errors: typeof errors
  family: typeof family
  genres: typeof genres
  guide: typeof guide
  header: typeof header
  history: typeof history
  home: typeof home
  jobs: typeof jobs
  link: typeof link
  lists: typeof lists
  mail: typeof mail
  mylist: typeof mylist
  notices: typeof notices
  onboarding: typeof onboarding
  profiles: typeof profiles
  ratings: typeof ratings
  reasons: typeof reasons
  remote: typeof remote
  requests: typeof requests
  reset: typeof reset
  searchpage: typeof searchpage
  secondfactor: typeof secondfactor
  security: typeof security
  seen: typeof seen
  statistics: typeof statistics
  status: typeof status
  taste: typeof taste
  titlerules: typeof titlerules
  transfer: typeof transfer
  viewingtime: typeof viewingtime
  watch: typeof watch
  watchnext: typeof watchnext
}
export type TranslationKey = {
  [N in TranslationNamespace]: QualifiedKey<N, TranslationTables[N]>
}[TranslationNamespace]
