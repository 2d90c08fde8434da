import { describe, expect, it } from 'vitest'
import { guardRoute, type RouteVisitor } from '../../src/lib/rules/route-guard.ts'

const alex = { profile_id: 'a', main: true, unlocked: true }
const sam = { profile_id: 'b', main: false, unlocked: true }
const createVisitor = (overrides: Partial<RouteVisitor>): RouteVisitor => ({
  isSignedIn: true,
  isOnboarded: true,
  isAdmin: false,
  profiles: [alex, sam],
  actingProfileId: 'a',
  path: '/movies/',
  ...overrides,
})

describe('route guard', () => {
  it.each<[string, Partial<RouteVisitor>, object]>([
    [
      'sends a visitor who is not signed in to the login page',
      { isSignedIn: false, profiles: [] },
      { kind: 'go', to: '/login/', redirect: '/movies/' },
    ],
    [
      'lets a visitor who is not signed in stay on the login page',
      { isSignedIn: false, path: '/login/' },
      { kind: 'stay' },
    ],
    [
      'lets a visitor who is not signed in set a new password',
      { isSignedIn: false, path: '/reset/?token=x' },
      { kind: 'stay' },
    ],
    [
      'lets a visitor who is not signed in confirm a new email address',
      { isSignedIn: false, path: '/email/?token=x' },
      { kind: 'stay' },
    ],
    ['lets a signed-in user set a new password', { path: '/reset/?token=x' }, { kind: 'stay' }],
    [
      'sends a signed-in user from the login page to the home page',
      { path: '/login/?redirect=/mylist/' },
      { kind: 'go', to: '/' },
    ],
    [
      'sends a user without onboarding to onboarding, and afterwards to the requested page',
      { isOnboarded: false, path: '/link/?code=WDJBMJHT' },
      { kind: 'go', to: '/onboarding/', redirect: '/link/?code=WDJBMJHT' },
    ],
    [
      'sends a user without profiles to onboarding',
      { profiles: [], path: '/movies/' },
      { kind: 'go', to: '/onboarding/', redirect: '/movies/' },
    ],
    [
      'sends an onboarded user from onboarding to the profiles page',
      { path: '/onboarding/' },
      { kind: 'go', to: '/profiles/', redirect: '/' },
    ],
    [
      'selects the only profile when it is unlocked',
      { profiles: [alex], actingProfileId: null },
      { kind: 'select', profileId: 'a' },
    ],
    [
      'sends a user whose only profile is locked to the profiles page to unlock it',
      { profiles: [{ ...alex, unlocked: false }], actingProfileId: null },
      { kind: 'go', to: '/profiles/', redirect: '/movies/', unlock: 'a' },
    ],
    [
      'sends a user with several profiles and no selection to the profiles page',
      { actingProfileId: null },
      { kind: 'go', to: '/profiles/', redirect: '/movies/' },
    ],
    [
      'sends a user whose selected profile is locked to the profiles page',
      { profiles: [{ ...alex, unlocked: false }, sam] },
      { kind: 'go', to: '/profiles/', redirect: '/movies/' },
    ],
    ['lets a user with a selected profile stay', {}, { kind: 'stay' }],
    [
      'sends a user who is not an administrator from the dashboard to the home page',
      { path: '/dashboard/' },
      { kind: 'go', to: '/' },
    ],
    [
      'sends an administrator whose selected profile is not the main profile from the dashboard to the home page',
      { path: '/dashboard/', isAdmin: true, actingProfileId: 'b' },
      { kind: 'go', to: '/' },
    ],
    [
      'lets an administrator with the main profile stay on the dashboard',
      { path: '/dashboard/', isAdmin: true },
      { kind: 'stay' },
    ],
  ])('the route guard %s', (_name, overrides, decision) => {
    expect(guardRoute(createVisitor(overrides))).toEqual(decision)
  })
})
