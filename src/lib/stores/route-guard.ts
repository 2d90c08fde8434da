/** The route guard (Spec §2): hides the page until the visitor may see it, or redirects. */
import './display-preferences.ts'
import { navigate } from 'astro:transitions/client'
import { atom, onMount } from 'nanostores'
import { startSession } from '../client/auth.ts'
import { ApiError } from '../client/errors.ts'
import type { Locale } from '../i18n/locales.ts'
import { getCurrentLocale } from '../i18n/t.ts'
import { getSafeRedirect, href, localisePath, splitLocale } from '../routes.ts'
import { guardRoute } from '../rules/route-guard.ts'
import { LOCALE_COOKIE, LOCALE_KEY } from '../storage-keys.ts'
import { $profileId, $profiles, loadProfiles, selectProfile } from './profile.ts'
import { discardAllReads } from './query.ts'
import { $session } from './session.ts'

export type RouteGuardState =
  | { status: 'pending' }
  | { status: 'open' }
  | { status: 'failed'; error: ApiError }
export const $routeGuard = atom<RouteGuardState>({ status: 'pending' })
/** Id of the profile for which the profile picker asks for the PIN immediately. */
export const $profileToUnlock = atom<string | null>(null)

onMount($routeGuard, () => {
  const check = () => void applyRouteGuard().catch(setFailed)
  const stop = $session.listen(({ status }) => {
    if (status === 'anonymous') $profiles.set(null)
    if (status !== 'pending') check()
  })
  document.addEventListener('astro:after-swap', check)
  check()
  return () => {
    stop()
    document.removeEventListener('astro:after-swap', check)
  }
})

function setFailed(error: unknown): void {
  const apiError =
    error instanceof ApiError
      ? error
      : new ApiError({ type: 'client_error', status: 500, message: String(error) })
  $routeGuard.set({ status: 'failed', error: apiError })
}

/** Target of the redirect in progress, so that a second check does not start the same redirect again. */
let redirectTarget: string | null = null

/** Checks the current page, and shows it or redirects. */
async function applyRouteGuard(): Promise<void> {
  await startSession()
  const session = $session.get()
  if (session.status === 'pending') return
  const signedIn = session.status === 'signed-in'
  const profiles = signedIn ? ($profiles.get() ?? (await loadProfiles())) : []
  const currentUrl = location.pathname + location.search
  const { path } = splitLocale(location.pathname)
  const decision = guardRoute({
    signedIn,
    onboarded: signedIn && session.user.onboarded,
    admin: signedIn && session.user.role === 'admin',
    profiles,
    selected: $profileId.get(),
    path: path + location.search,
  })
  if (decision.kind === 'select') {
    enterProfile(decision.profileId, currentUrl)
    return
  }
  if (decision.kind === 'stay') {
    $routeGuard.set({ status: 'open' })
    return
  }
  $routeGuard.set({ status: 'pending' })
  if (decision.unlock) $profileToUnlock.set(decision.unlock)
  const query = decision.redirect === undefined ? '' : `?redirect=${encodeURIComponent(currentUrl)}`
  const target = localisePath(decision.to, getCurrentLocale()) + query
  if (target === redirectTarget) return
  redirectTarget = target
  try {
    await navigate(target, { history: 'replace' })
  } finally {
    redirectTarget = null
  }
}

/**
 * Selects a profile, discards the data of the previous one, and opens `to` or the home page in the language of the
 * profile.
 */
export function enterProfile(profileId: string, to: string | null): void {
  if ($profileId.get() !== profileId) discardAllReads()
  selectProfile(profileId)
  const profile = $profiles.get()?.find((candidate) => candidate.profile_id === profileId)
  const locale = profile?.preferences.language ?? getCurrentLocale()
  const target = localisePath(getSafeRedirect(to), locale)
  storeLocale(locale)
  if (locale === getCurrentLocale() && target === location.pathname + location.search) {
    $routeGuard.set({ status: 'open' })
    return
  }
  if (locale === getCurrentLocale()) void navigate(target)
  else location.assign(target)
}

/**
 * Stores the locale for language detection (Spec §9). A locale cookie takes precedence over local storage, so it is
 * updated too.
 */
export function storeLocale(locale: Locale): void {
  localStorage.setItem(LOCALE_KEY, locale)
  if (document.cookie.includes(`${LOCALE_COOKIE}=`))
    document.cookie = `${LOCALE_COOKIE}=${locale}; path=/; SameSite=Strict; max-age=31536000`
}

/** Returns the path to open after signing in: the `redirect` parameter, or the home page. */
export function getPathAfterLogin(): string {
  const redirect = getSafeRedirect(new URLSearchParams(location.search).get('redirect'))
  return redirect === '/' ? href('home', getCurrentLocale()) : redirect
}
