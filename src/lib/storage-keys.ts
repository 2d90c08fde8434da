/**
 * Names under which the site stores data on the device: keys of local and session storage, caches, and the names that
 * tabs share (channels, locks). Stored data survives updates of the site, so the meaning of a name must not change.
 * Names that only the dashboard uses are in dashboard-storage-keys.ts, because every page loads this file.
 */

/** Locale chosen last. The site writes it to local storage, and reads it from local and session storage. */
export const LOCALE_KEY = 'i18nextLng'
/** Cookie with the locale, which takes precedence over the storages. */
export const LOCALE_COOKIE = 'i18next'

/** `light`, `dark` or `system`. */
export const THEME_KEY = 'marquee-theme'
/** `1` or `0` when the user has turned lite mode on or off. */
export const LITE_MODE_KEY = 'marquee-lite'
/** Session storage: `1` after slow frames in this session. */
export const SLOW_FRAMES_KEY = 'marquee-late'
/** Data attributes of the root element, as JSON. */
export const DISPLAY_ATTRIBUTES_KEY = 'marquee-comfort'
/** `getTimezoneOffset()` of the device and its IANA time zone, separated by a space (`time-zone.ts`). */
export const TIME_ZONE_KEY = 'marquee-time-zone'
/** Volume of the player, as JSON. */
export const VOLUME_KEY = 'marquee-sound'
/** `1` when the controls of the player stay visible on this device. */
export const CONTROLS_KEPT_VISIBLE_KEY = 'marquee-kept-controls'
/** `0` when the shortcuts that are a single character are off on this device. */
export const SINGLE_KEY_SHORTCUTS_KEY = 'marquee-single-keys'
/** `1` after the hint "hold OK to open the menu of a title" was shown. */
export const HOLD_HINT_KEY = 'marquee-hold-hint'
/** Session storage: `1` while a remote control is in use. */
export const REMOTE_CONTROL_MODE_KEY = 'marquee-remote'
/** Session storage: token of the invitation that is being used. */
export const INVITATION_TOKEN_KEY = 'marquee-invitation'
/** Session storage: token of the password reset link that is being used. */
export const RESET_TOKEN_KEY = 'marquee-reset'
/** Session storage: token of the email change link that is being used. */
export const EMAIL_TOKEN_KEY = 'marquee-email'
/** Session storage: page to open after the sign-in with an identity provider. */
export const SIGN_IN_TARGET_KEY = 'marquee-sign-in'
/** Session storage: the code with which a phone can sign this device in, and the time of its expiry, as JSON. */
export const DEVICE_CODE_KEY = 'marquee-device-code'
/** Session storage: step of the onboarding. */
export const ONBOARDING_STEP_KEY = 'marquee-onboarding'
/** Session storage: prefix of keys. Each key ends with the error message or island for which the page was reloaded. */
export const RELOAD_REASON_KEY_PREFIX = 'marquee-reloaded'

/** Session storage: id of the pairing with the phone that controls this television. */
export const REMOTE_PAIRING_KEY = 'marquee-phone'
/** Session storage: id of the pairing with the television that this phone controls. */
export const CONTROLLED_TELEVISION_KEY = 'marquee-television'

/** Id of the acting profile: in session storage for this tab, in local storage for new tabs. */
export const ACTING_PROFILE_KEY = 'marquee-profile'
/** Ids of the kids profiles of the account, separated by spaces. */
export const KIDS_PROFILES_KEY = 'marquee-kids'
/** Session storage: ids of the locked profiles whose PIN was entered, separated by spaces. */
export const UNLOCKED_PROFILES_KEY = 'marquee-unlocked'
/** Today's hero and first row of the home page, as JSON. */
export const HOME_HERO_KEY = 'marquee-first'
/** Prefix of keys. Each key ends with the id of a profile. The value contains the recent searches, as JSON. */
export const RECENT_SEARCHES_KEY_PREFIX = 'marquee-recent-'
/** Prefix of keys. Each key ends with the id of a profile. The value contains the subtitle preferences, as JSON. */
export const CAPTIONS_KEY_PREFIX = 'marquee-captions:'
/**
 * Prefix of keys. Each key ends with the id of a profile. The value is the audio language that was chosen last,
 * followed by ` description` if the track describes the picture.
 */
export const AUDIO_LANGUAGE_KEY_PREFIX = 'marquee-audio:'
/** What this version of the browser decodes, as JSON. */
export const CAPABILITIES_KEY = 'marquee-decoders'
/** Prefix of the keys of pending writes. Each pending write has its own key. */
export const PENDING_WRITES_KEY_PREFIX = 'marquee-waiting'
/**
 * Prefix of the keys of writes that were made before the code of the outbox was loaded. It starts with
 * PENDING_WRITES_KEY_PREFIX, so that code that looks for pending writes also finds these writes.
 */
export const EARLY_WRITES_KEY_PREFIX = 'marquee-waiting-early'
/** The user who signed in last, as JSON. When it changes, the other tabs switch to the new user or sign out. */
export const USER_KEY = 'marquee-user'
/** `1` after the login of this device has expired or was ended elsewhere, until a user signs in. */
export const ENDED_LOGIN_KEY = 'marquee-ended-login'
/** `1` while a sign-out has not reached the server. */
export const PENDING_SIGN_OUT_KEY = 'marquee-left'

/** `1` after a call of `leaveProfile` has failed, until a later call of `leaveProfile` or `unlockProfile` succeeds. */
export const PENDING_PROFILE_LEAVE_KEY = 'marquee-pending-leave'

/** Prefix of the names of the read caches. Each profile has one, with the responses to the reads of the profile. */
export const READ_CACHE_PREFIX = 'marquee-reads'
/** Prefix of the names of the caches with the pages and files of the site. Each build has its own cache. */
export const SITE_CACHE_PREFIX = 'marquee-site-'
export const IMAGE_CACHE = 'marquee-pictures'

export const ACCOUNT_EVENTS_CHANNEL = 'marquee-live'
export const SESSION_REFRESH_LOCK = 'marquee-refresh'
export const OUTBOX_LOCK = 'marquee-outbox'
/** Event that is dispatched on the window when the server becomes reachable or unreachable. */
export const REACHABILITY_EVENT = 'marquee-reach'
