/** Lets a page show itself once its visitor belongs there (Spec §2, the profile gate). */
import './comfort.ts'
import { navigate } from 'astro:transitions/client'
import { atom, onMount } from 'nanostores'
import { startSession } from '../client/auth.ts'
import { ApiError } from '../client/errors.ts'
import type { Locale } from '../i18n/locales.ts'
import { currentLocale } from '../i18n/t.ts'
import { href, inLocale, safeRedirect, splitLocale } from '../routes.ts'
import { gate } from '../rules/gate.ts'
import { $profileId, $profiles, loadProfiles, selectProfile } from './profile.ts'
import { forgetAll } from './query.ts'
import { $session } from './session.ts'

export type GateState = { status: 'pending' } | { status: 'open' } | { status: 'failed'; error: ApiError }
export const $gate = atom<GateState>({ status: 'pending' })
/** The profile whose PIN the picker asks for at once. */
export const $unlockWish = atom<string | null>(null)

onMount($gate, () => {
  const check = () => void pass().catch(fail)
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

function fail(error: unknown): void {
  const known =
    error instanceof ApiError
      ? error
      : new ApiError({ type: 'client_error', status: 500, message: String(error) })
  $gate.set({ status: 'failed', error: known })
}

/** Where the gate is sending the visitor now; a second verdict while the first is on its way says nothing new. */
let underway: string | null = null

/** Judges the page in hand; goes elsewhere where its visitor does not belong. */
async function pass(): Promise<void> {
  await startSession()
  const session = $session.get()
  if (session.status === 'pending') return
  const signedIn = session.status === 'signed-in'
  const profiles = signedIn ? ($profiles.get() ?? (await loadProfiles())) : []
  const here = location.pathname + location.search
  const { path } = splitLocale(location.pathname)
  const verdict = gate({
    signedIn,
    onboarded: signedIn && session.user.onboarded,
    admin: signedIn && session.user.role === 'admin',
    profiles,
    selected: $profileId.get(),
    path: path + location.search,
  })
  if (verdict.kind === 'select') {
    enter(verdict.profileId, here)
    return
  }
  if (verdict.kind === 'stay') {
    $gate.set({ status: 'open' })
    return
  }
  $gate.set({ status: 'pending' })
  if (verdict.unlock) $unlockWish.set(verdict.unlock)
  const query = verdict.redirect === undefined ? '' : `?redirect=${encodeURIComponent(here)}`
  const target = inLocale(verdict.to, currentLocale()) + query
  if (target === underway) return
  underway = target
  try {
    await navigate(target, { history: 'replace' })
  } finally {
    underway = null
  }
}

/** Acts as a profile: its language becomes the interface's, its own data replaces what was read for another. */
export function enter(profileId: string, to: string | null): void {
  if ($profileId.get() !== profileId) forgetAll()
  selectProfile(profileId)
  const profile = $profiles.get()?.find((one) => one.profile_id === profileId)
  const locale = profile?.preferences.language ?? currentLocale()
  const target = inLocale(safeRedirect(to), locale)
  rememberLocale(locale)
  if (locale === currentLocale() && target === location.pathname + location.search) {
    $gate.set({ status: 'open' })
    return
  }
  if (locale === currentLocale()) void navigate(target)
  else location.assign(target)
}

/** Detection finds it again (Spec §9: cached in local storage; a cookie would win, so it follows). */
export function rememberLocale(locale: Locale): void {
  localStorage.setItem('i18nextLng', locale)
  if (document.cookie.includes('i18next='))
    document.cookie = `i18next=${locale}; path=/; SameSite=Strict; max-age=31536000`
}

/** Where `redirect` leads after signing in, or home. */
export function afterLogin(): string {
  const wanted = safeRedirect(new URLSearchParams(location.search).get('redirect'))
  return wanted === '/' ? href('home', currentLocale()) : wanted
}
