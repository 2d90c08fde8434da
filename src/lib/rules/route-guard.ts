/** The route guard: decides whether a visitor may see a page or where to redirect. Paths have no locale. */

export type RouteDecision =
  | { kind: 'stay' }
  | { kind: 'select'; profileId: string }
  | { kind: 'go'; to: string; redirect?: string; unlock?: string }

export interface RouteVisitor {
  isSignedIn: boolean
  isOnboarded: boolean
  isAdmin: boolean
  profiles: readonly { profile_id: string; main: boolean; unlocked: boolean }[]
  /** Id of the acting profile. */
  actingProfileId: string | null
  /** Path and query of the page: `/movies/?sort=title.asc`. */
  path: string
}

const PUBLIC_PAGES = ['/login', '/signup', '/reset', '/email']
const isPathOfPage = (path: string, pagePath: string) =>
  path === pagePath || path.startsWith(`${pagePath}/`) || path.startsWith(`${pagePath}?`)

/** Returns `stay`, the profile to select, or the path to redirect to. */
export function guardRoute(visitor: RouteVisitor): RouteDecision {
  const { path } = visitor
  const isPublicPage = PUBLIC_PAGES.some((page) => isPathOfPage(path, page))
  if (!visitor.isSignedIn)
    return isPublicPage ? { kind: 'stay' } : { kind: 'go', to: '/login/', redirect: path }
  if (isPublicPage) return isPathOfPage(path, '/login') ? { kind: 'go', to: '/' } : { kind: 'stay' }
  const needsOnboarding = !visitor.isOnboarded || visitor.profiles.length === 0
  if (isPathOfPage(path, '/onboarding')) {
    return needsOnboarding ? { kind: 'stay' } : { kind: 'go', to: '/profiles/', redirect: '/' }
  }
  if (needsOnboarding) return { kind: 'go', to: '/onboarding/', redirect: path }
  if (isPathOfPage(path, '/profiles')) return { kind: 'stay' }
  return guardProfilePage(visitor)
}

/** Decides about pages that need an acting profile. */
function guardProfilePage(visitor: RouteVisitor): RouteDecision {
  const { profiles, actingProfileId, path } = visitor
  const actingProfile = profiles.find((profile) => profile.profile_id === actingProfileId && profile.unlocked)
  if (!actingProfile) {
    const [onlyProfile] = profiles
    if (profiles.length !== 1 || !onlyProfile) return { kind: 'go', to: '/profiles/', redirect: path }
    if (onlyProfile.unlocked) return { kind: 'select', profileId: onlyProfile.profile_id }
    return { kind: 'go', to: '/profiles/', redirect: path, unlock: onlyProfile.profile_id }
  }
  if (isPathOfPage(path, '/dashboard') && !(visitor.isAdmin && actingProfile.main))
    return { kind: 'go', to: '/' }
  return { kind: 'stay' }
}
