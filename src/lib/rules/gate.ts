/** The profile gate (Spec §2): where a visitor of a page belongs. Pure; paths carry no locale. */
import type { Profile } from '../contract/profiles.ts'

export type Gate =
  | { kind: 'stay' }
  | { kind: 'select'; profileId: string }
  | { kind: 'go'; to: string; redirect?: string; unlock?: string }

export interface Visitor {
  signedIn: boolean
  onboarded: boolean
  admin: boolean
  profiles: readonly Pick<Profile, 'profile_id' | 'main' | 'unlocked'>[]
  /** The profile that acts, if it may. */
  selected: string | null
  /** The page, with its query: `/movies/?sort=title.asc`. */
  path: string
}

const PUBLIC = ['/login', '/signup']
const is = (path: string, page: string) =>
  path === page || path.startsWith(`${page}/`) || path.startsWith(`${page}?`)

export function gate(visitor: Visitor): Gate {
  const { path } = visitor
  const open = PUBLIC.some((page) => is(path, page))
  if (!visitor.signedIn) return open ? { kind: 'stay' } : { kind: 'go', to: '/login/', redirect: path }
  if (open) return is(path, '/login') ? { kind: 'go', to: '/' } : { kind: 'stay' }
  const needsOnboarding = !visitor.onboarded || visitor.profiles.length === 0
  if (is(path, '/onboarding')) {
    return needsOnboarding ? { kind: 'stay' } : { kind: 'go', to: '/profiles/', redirect: '/' }
  }
  if (needsOnboarding) return { kind: 'go', to: '/onboarding/' }
  if (is(path, '/profiles')) return { kind: 'stay' }
  return chosen(visitor)
}

function chosen(visitor: Visitor): Gate {
  const { profiles, selected, path } = visitor
  const acting = profiles.find((profile) => profile.profile_id === selected && profile.unlocked)
  if (!acting) {
    const [only] = profiles
    if (profiles.length !== 1 || !only) return { kind: 'go', to: '/profiles/', redirect: path }
    if (only.unlocked) return { kind: 'select', profileId: only.profile_id }
    return { kind: 'go', to: '/profiles/', redirect: path, unlock: only.profile_id }
  }
  if (is(path, '/dashboard') && !(visitor.admin && acting.main)) return { kind: 'go', to: '/' }
  return { kind: 'stay' }
}
