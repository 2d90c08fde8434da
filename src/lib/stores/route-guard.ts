/** The route guard: hides the page until the visitor may see it, or redirects. */
import './display-preferences.ts'
import { atom, onMount } from 'nanostores'
import { startSession } from '../client/auth.ts'
import { ApiError } from '../client/errors.ts'
import { navigate } from '../client-navigation.ts'
import { getEntryProfileId } from '../history-entry.ts'
import type { Locale } from '../i18n/locales.ts'
import { getCurrentLocale } from '../i18n/t.ts'
import { getSafeRedirect, localisePath, splitLocale } from '../routes.ts'
import { guardRoute } from '../rules/route-guard.ts'
import { writeStorage } from '../storage.ts'
import { LOCALE_COOKIE, LOCALE_KEY } from '../storage-keys.ts'
import {
  isOnProfilePicker,
  listenToHistory,
  recordEntryProfile,
  recordMissingEntryProfile,
} from './history-entries.ts'
import { onProfileReset } from './per-profile.ts'
import { $profileId, $profiles, loadProfiles, selectProfile } from './profile.ts'
import { $session } from './session.ts'

export type RouteGuardState =
  | { status: 'pending' }
  | { status: 'open' }
  | { status: 'failed'; error: ApiError }
export const $routeGuard = atom<RouteGuardState>({ status: 'pending' })

onMount($routeGuard, () => {
  const unsubscribers = [
    $session.listen(({ status }) => status !== 'pending' && guardCurrentPage()),
    listenToHistory(() => {
      redirectTarget = null
      guardCurrentPage()
    }),
  ]
  document.addEventListener('astro:after-swap', guardCurrentPage)
  guardCurrentPage()
  return () => {
    for (const unsubscribe of unsubscribers) unsubscribe()
    document.removeEventListener('astro:after-swap', guardCurrentPage)
  }
})

// The page of the previous profile is hidden immediately. The profile picker stays visible, because it belongs to no
// profile.
onProfileReset(() => {
  if (!isOnProfilePicker()) $routeGuard.set({ status: 'pending' })
  if ($routeGuard.lc > 0) guardCurrentPage()
})

const getPathWithQuery = () => location.pathname + location.search
const guardCurrentPage = () => void applyRouteGuard().catch(setGuardFailed)

function setGuardFailed(error: unknown): void {
  const apiError =
    error instanceof ApiError
      ? error
      : new ApiError({ type: 'client_error', status: 500, message: String(error) })
  $routeGuard.set({ status: 'failed', error: apiError })
}

/** Target of the redirect in progress. Until the target is reached, the current page is hidden. */
let redirectTarget: string | null = null

/** Checks the current page, and shows it or redirects. */
async function applyRouteGuard(): Promise<void> {
  await startSession()
  const session = $session.get()
  if (session.status === 'pending') return
  const isSignedIn = session.status === 'signed-in'
  const profiles = isSignedIn ? ($profiles.get() ?? (await loadProfiles())) : []
  // If the session has changed meanwhile, another check was started for the new session.
  if ($session.get() !== session) return
  const currentPath = getPathWithQuery()
  const decision = guardRoute({
    isSignedIn,
    isOnboarded: isSignedIn && session.user.onboarded,
    isAdmin: isSignedIn && session.user.role === 'admin',
    profiles,
    actingProfileId: $profileId.get(),
    path: splitLocale(location.pathname).path + location.search,
  })
  if (decision.kind === 'select') {
    enterProfile(decision.profileId, currentPath)
    return
  }
  if (decision.kind === 'stay') {
    if (redirectTarget && redirectTarget !== currentPath) return
    if (isSignedIn) recordEntryProfile()
    if ($routeGuard.get().status !== 'open') $routeGuard.set({ status: 'open' })
    return
  }
  // After a sign-in or the onboarding, the requested page is already being opened. A redirect to the home page would
  // replace it.
  if (redirectTarget && (decision.redirect ?? decision.to) === '/') return
  $routeGuard.set({ status: 'pending' })
  const targetParams = new URLSearchParams()
  if (decision.unlock) targetParams.set('unlock', decision.unlock)
  if (decision.redirect) targetParams.set('redirect', localisePath(decision.redirect, getCurrentLocale()))
  const targetSearch = targetParams.size > 0 ? `?${targetParams}` : ''
  await redirectTo(localisePath(decision.to, getCurrentLocale()) + targetSearch, {
    history: 'replace',
    state: { profile: getEntryProfileId() },
  })
}

/** Opens a page. Until the page is reached, the route guard shows no other page. */
export async function redirectTo(
  targetPath: string,
  options?: Parameters<typeof navigate>[1],
): Promise<void> {
  if (targetPath === redirectTarget) return
  redirectTarget = targetPath
  const currentPath = getPathWithQuery()
  try {
    await navigate(targetPath, options)
  } finally {
    if (redirectTarget === targetPath) redirectTarget = null
    // The URL has changed, possibly by another navigation during the redirect, so the current page must be checked.
    if (getPathWithQuery() !== currentPath) guardCurrentPage()
  }
}

/**
 * Selects a profile, and opens `requestedPath` or the home page in the language of the profile. `requestedPath` is
 * ignored when the current history entry belongs to another profile.
 */
export function enterProfile(profileId: string, requestedPath: string | null): void {
  const profile = $profiles.get()?.find((candidate) => candidate.profile_id === profileId)
  const locale = profile?.preferences.language ?? getCurrentLocale()
  const entryProfileId = getEntryProfileId()
  const redirectPath = entryProfileId && entryProfileId !== profileId ? '/' : getSafeRedirect(requestedPath)
  const targetPath = localisePath(redirectPath, locale)
  storeLocale(locale)
  recordMissingEntryProfile()
  selectProfile(profileId)
  if (targetPath === getPathWithQuery() && locale === getCurrentLocale()) guardCurrentPage()
  else if (locale === getCurrentLocale()) void redirectTo(targetPath)
  else {
    redirectTarget = targetPath
    location.assign(targetPath)
  }
}

/**
 * Stores the locale for language detection. An existing locale cookie is updated too, because it takes precedence
 * over local storage.
 */
export function storeLocale(locale: Locale): void {
  writeStorage('localStorage', LOCALE_KEY, locale)
  if (document.cookie.includes(`${LOCALE_COOKIE}=`))
    document.cookie = `${LOCALE_COOKIE}=${locale}; path=/; SameSite=Strict; max-age=31536000`
}
