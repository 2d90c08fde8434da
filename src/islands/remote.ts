/** Whether a remote drives, and where the page was come from; both outlive a page, the second only without a reload. */
const STORAGE_KEY = 'marquee-remote'

let remoteControlled: boolean | undefined
let previousAddress: string | null = null

/** True from the first arrow that moved the focus until a pointer moves or Tab is pressed. */
export function isRemote(): boolean {
  remoteControlled ??= readStoredState()
  return remoteControlled
}

export function setRemote(active: boolean): void {
  if (isRemote() === active) return
  remoteControlled = active
  try {
    if (active) sessionStorage.setItem(STORAGE_KEY, '1')
    else sessionStorage.removeItem(STORAGE_KEY)
  } catch {
    /* Without storage it is known until the page is left. */
  }
}

function readStoredState(): boolean {
  try {
    return sessionStorage.getItem(STORAGE_KEY) !== null
  } catch {
    return false
  }
}

/** The address of the page that led here, when it is the entry before this one in the history; else null. */
export const cameFrom = (): string | null => previousAddress

export function setCameFrom(address: string | null): void {
  previousAddress = address
}
