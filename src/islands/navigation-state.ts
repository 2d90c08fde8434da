/**
 * Remote control mode and the URL of the previous page. The mode is stored for the browser session. The URL
 * is lost on reload.
 */
import { REMOTE_CONTROL_MODE_KEY } from '../lib/storage-keys.ts'
import { perProfile } from '../lib/stores/per-profile.ts'

let isModeActive: boolean | undefined
let previousUrl: string | null = null

/**
 * True in remote control mode. The mode starts with each page load on a television (page-scripts/inline/boot.ts), when
 * an arrow key moves the focus, and when a paired phone is used. It ends when a pointer or the Tab key is used.
 */
export function isInRemoteControlMode(): boolean {
  isModeActive ??= readStoredMode()
  return isModeActive
}

export function setRemoteControlMode(isActive: boolean): void {
  if (isInRemoteControlMode() === isActive) return
  isModeActive = isActive
  try {
    if (isActive) sessionStorage.setItem(REMOTE_CONTROL_MODE_KEY, '1')
    else sessionStorage.removeItem(REMOTE_CONTROL_MODE_KEY)
  } catch {
    /* Without session storage, the mode lasts until the next page load. */
  }
}

function readStoredMode(): boolean {
  try {
    return sessionStorage.getItem(REMOTE_CONTROL_MODE_KEY) !== null
  } catch {
    return false
  }
}

/** A link in the content of a page. A page may have several links with the same `href`, for example in two rows. */
export interface FollowedLink {
  href: string
  /** Label of the section that contains the link; null if there is none. */
  sectionLabel: string | null
  /** Index of the link among the links of this section with the same `href`. */
  index: number
}

/**
 * Maps the URL of a page to the link that the user followed from this page; null if that link was not in the content.
 */
export const $followedLinks = perProfile(() => new Map<string, FollowedLink | null>())

/**
 * Returns the URL of the page that opened this page with a new history entry, so that Back leads to that page. Returns
 * null after Back or Forward, after a replaced history entry and after a reload.
 */
export const getPreviousUrl = (): string | null => previousUrl

export function setPreviousUrl(url: string | null): void {
  previousUrl = url
}
