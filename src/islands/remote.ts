/** Whether a remote drives, and where the page was come from; both outlive a page, the second only without a reload. */
const KEY = 'marquee-remote'

let driving: boolean | undefined
let from: string | null = null

/** True from the first arrow that moved the focus until a pointer moves or Tab is pressed. */
export function isRemote(): boolean {
  driving ??= read()
  return driving
}

export function setRemote(on: boolean): void {
  if (isRemote() === on) return
  driving = on
  try {
    if (on) sessionStorage.setItem(KEY, '1')
    else sessionStorage.removeItem(KEY)
  } catch {
    /* Without storage it is known until the page is left. */
  }
}

function read(): boolean {
  try {
    return sessionStorage.getItem(KEY) !== null
  } catch {
    return false
  }
}

/** The address of the page that led here, when it is the entry before this one in the history; else null. */
export const cameFrom = (): string | null => from

export function setCameFrom(address: string | null): void {
  from = address
}
