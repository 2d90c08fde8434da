/**
 * Restores a lost focus. If the focused element disappears or is disabled, the nearest focusable element is focused.
 * After Back, the link that the user followed from the page is focused. In remote control mode, every new page focuses
 * its first element.
 */
import type { TransitionBeforePreparationEvent } from 'astro:transitions/client'
import {
  $followedLinks,
  type FollowedLink,
  isInRemoteControlMode,
  setPreviousUrl,
} from '../islands/navigation-state.ts'
import {
  findFirstElement,
  findFocusableElements,
  findFocusContainer,
  focusElement,
} from './focusable-elements.ts'

interface FocusPosition {
  element: HTMLElement
  /** Centre of the element in CSS pixels, relative to the window. */
  x: number
  y: number
  /**
   * True for a button of a card, such as Remove. When the button disappears, a card gets the focus, so that a second OK
   * does not press the button of the next card.
   */
  isCardButton: boolean
  /** True in the content of the page or in a dialog; false in the header, for example. */
  isInContent: boolean
}
let lastFocusPosition: FocusPosition | null = null
const CONTENT_SELECTOR = 'main,dialog'

/**
 * Longest wait for the followed link to be rendered, before another link to the same page is focused. The wait is
 * shorter with a remote, because a remote cannot navigate without a focus.
 */
const LINK_TIMEOUT_MS = 10_000
const REMOTE_LINK_TIMEOUT_MS = 3_000
/**
 * Time after which the focus moves away from a disabled element. An element that is disabled for a shorter time, for
 * example while a request runs, keeps the focus.
 */
const DISABLED_FOCUS_TIMEOUT_MS = 500
/**
 * The last element that was disabled while it had the focus. It gets the focus back if it is enabled again before
 * another element receives the focus.
 */
let disabledElement: HTMLElement | null = null
/** Maximum time in milliseconds for which the initial focus of a page waits for content that is being loaded. */
const CONTENT_TIMEOUT_MS = 8_000
let pageShownAtMs = performance.now()
/**
 * Start of the current navigation. A focus that is lost between this time and the page swap is not restored, unless the
 * navigation takes longer than REMOTE_LINK_TIMEOUT_MS.
 */
let navigationStartedAtMs = Number.NEGATIVE_INFINITY
/**
 * True after Back or Forward, until an element receives the focus. While it is true, the link that the user had
 * followed gets the focus once this link is rendered.
 */
let shouldFocusLink = false

function recordFocus(element: EventTarget | null): void {
  if (!(element instanceof HTMLElement) || element === document.body) return
  shouldFocusLink = false
  const { left, right, top, bottom } = element.getBoundingClientRect()
  const isCardButton =
    element.matches('button') && element.closest('li')?.querySelector('[data-card]') != null
  const isInContent = element.closest(CONTENT_SELECTOR) !== null
  lastFocusPosition = { element, x: (left + right) / 2, y: (top + bottom) / 2, isCardButton, isInContent }
}

const isFocusLost = () => {
  const { activeElement } = document
  return (
    activeElement === null ||
    activeElement === document.body ||
    activeElement.matches(':disabled') ||
    !findFocusContainer().contains(activeElement)
  )
}

/** True if the element cannot have the focus. Browsers take the focus from a disabled element at the next frame. */
const isElementUnavailable = (element: HTMLElement) => !element.isConnected || element.matches(':disabled')

function restoreFocus(): void {
  isRestorationScheduled = false
  if (performance.now() - navigationStartedAtMs < REMOTE_LINK_TIMEOUT_MS) return
  if (!isFocusLost() || document.querySelector('video')) return
  if (lastFocusPosition && isElementUnavailable(lastFocusPosition.element)) {
    const focusPosition = lastFocusPosition
    lastFocusPosition = null
    const nearestElement = findNearestElement(focusPosition)
    // While content is being replaced, it has no elements for a moment. With a remote, the focus must not
    // move to the header then.
    if (isInRemoteControlMode() && focusPosition.isInContent && !nearestElement?.closest(CONTENT_SELECTOR))
      focusStartElement()
    else if (nearestElement) focusElement(nearestElement)
  } else if (!lastFocusPosition && (shouldFocusLink || isInRemoteControlMode())) focusStartElement()
}

function findNearestElement({ x, y, isCardButton }: FocusPosition): HTMLElement | undefined {
  const focusableElements = findFocusableElements(findFocusContainer())
  const cards = isCardButton ? focusableElements.filter((element) => element.matches('[data-card]')) : []
  const elements = cards.length > 0 ? cards : focusableElements
  const contentElements = elements.filter((element) => element.closest(CONTENT_SELECTOR))
  const getDistance = (element: HTMLElement) => {
    const { left, right, top, bottom } = element.getBoundingClientRect()
    return Math.hypot((left + right) / 2 - x, (top + bottom) / 2 - y)
  }
  let nearestElement: HTMLElement | undefined
  let minDistance = Number.POSITIVE_INFINITY
  for (const element of contentElements.length > 0 ? contentElements : elements) {
    const distance = getDistance(element)
    if (distance < minDistance) {
      nearestElement = element
      minDistance = distance
    }
  }
  return nearestElement
}

const findLinks = (main: Element, href: string) => [
  ...main.querySelectorAll<HTMLElement>(`a[href="${CSS.escape(href)}"]`),
]
const getSectionLabel = (link: Element) => link.closest('section')?.getAttribute('aria-label') ?? null
const findLinksInSection = (main: Element, { href, sectionLabel }: Omit<FollowedLink, 'index'>) =>
  findLinks(main, href).filter((link) => getSectionLabel(link) === sectionLabel)

/**
 * Returns the data by which a followed link is found again after Back. Returns null for a link outside of the content,
 * for example in the header.
 */
function describeLinkInContent(element: Element): FollowedLink | null {
  const main = element.closest('main')
  if (!main) return null
  const link = { href: element.getAttribute('href') ?? '', sectionLabel: getSectionLabel(element) }
  return { ...link, index: findLinksInSection(main, link).indexOf(element as HTMLElement) }
}

function focusStartElement(): void {
  const main = document.querySelector('main')
  if (!main) return
  const followedLink = shouldFocusLink ? $followedLinks.get().get(location.href) : undefined
  let link = followedLink && findLinksInSection(main, followedLink)[followedLink.index]
  const timeoutMs = isInRemoteControlMode() ? REMOTE_LINK_TIMEOUT_MS : LINK_TIMEOUT_MS
  if (followedLink && !link) {
    if (performance.now() - pageShownAtMs < timeoutMs) return void scheduleRestoration(timeoutMs)
    link = findLinks(main, followedLink.href)[0]
  }
  const startElement =
    isInRemoteControlMode() && (main.querySelector<HTMLElement>('[data-first]') || findFirstElement(main))
  if (
    !link &&
    isContentPending(main, startElement || null) &&
    performance.now() - pageShownAtMs < CONTENT_TIMEOUT_MS
  )
    return void scheduleRestoration(CONTENT_TIMEOUT_MS)
  shouldFocusLink = false
  const elementToFocus = link || startElement
  if (elementToFocus) focusElement(elementToFocus)
}

/**
 * True if content before the element is still loading. If the element is null, true if any content is still loading.
 * The focus waits for this content, for example for the Play button of the home page.
 */
function isContentPending(main: HTMLElement, element: HTMLElement | null): boolean {
  const [pendingElement] = [...main.querySelectorAll<HTMLElement>('.skeleton,.pending-ring')].filter(
    (candidate) => candidate.checkVisibility(),
  )
  if (!pendingElement) return false
  return !element || !!(pendingElement.compareDocumentPosition(element) & Node.DOCUMENT_POSITION_FOLLOWING)
}

let isRestorationScheduled = false
let restorationTimer: ReturnType<typeof setTimeout> | undefined
function scheduleRestoration(delayMs: number): void {
  if (isRestorationScheduled) return
  isRestorationScheduled = delayMs === 0
  clearTimeout(restorationTimer)
  /* Even a delay of 0 lets the effects of the islands run first, which may set the focus themselves. */
  restorationTimer = setTimeout(restoreFocus, delayMs)
}

document.addEventListener('focusin', (event) => recordFocus(event.target))
/* The focused element may have been scrolled since it received the focus, so its position is recorded again. */
document.addEventListener('keydown', () => recordFocus(document.activeElement), { capture: true })
document.addEventListener('pointerdown', () => recordFocus(document.activeElement), { capture: true })
new MutationObserver(() => {
  if (lastFocusPosition?.element.matches(':disabled')) disabledElement = lastFocusPosition.element
  else if (disabledElement && !disabledElement.matches(':disabled')) {
    const enabledElement = disabledElement
    disabledElement = null
    if (enabledElement.isConnected && isFocusLost()) return focusElement(enabledElement)
  }
  if (
    isFocusLost() &&
    (shouldFocusLink ||
      isInRemoteControlMode() ||
      (lastFocusPosition && isElementUnavailable(lastFocusPosition.element)))
  )
    scheduleRestoration(lastFocusPosition?.element.isConnected ? DISABLED_FOCUS_TIMEOUT_MS : 0)
}).observe(document, { childList: true, subtree: true, attributeFilter: ['disabled', 'hidden', 'open'] })

document.addEventListener('astro:before-preparation', (event) => {
  const { from, to, navigationType } = event as TransitionBeforePreparationEvent
  const { activeElement } = document
  // `from` lacks changes of the URL by `history.replaceState`, such as the query of a typed search. On Back and
  // Forward, `location` already is the URL of the next page.
  const previousPageUrl = navigationType === 'traverse' ? from.href : location.href
  if (activeElement?.hasAttribute('href'))
    $followedLinks.get().set(previousPageUrl, describeLinkInContent(activeElement))
  if (from.href !== to.href) setPreviousUrl(navigationType === 'push' ? from.href : null)
  shouldFocusLink = navigationType === 'traverse'
  navigationStartedAtMs = performance.now()
})
document.addEventListener('astro:after-swap', () => {
  navigationStartedAtMs = Number.NEGATIVE_INFINITY
  lastFocusPosition = null
  disabledElement = null
  pageShownAtMs = performance.now()
  /* The header stays in the document, so a followed link in it would keep the focus. */
  if (isInRemoteControlMode() && document.activeElement instanceof HTMLElement) document.activeElement.blur()
  if (shouldFocusLink || isInRemoteControlMode()) scheduleRestoration(0)
})
if (isInRemoteControlMode()) scheduleRestoration(0)
