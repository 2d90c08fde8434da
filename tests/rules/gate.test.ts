import { describe, expect, it } from 'vitest'
import { guardRoute, type RouteVisitor } from '../../src/lib/rules/route-guard.ts'

const alex = { profile_id: 'a', main: true, unlocked: true }
const sam = { profile_id: 'b', main: false, unlocked: true }
const visitor = (more: Partial<RouteVisitor>): RouteVisitor => ({
  signedIn: true,
  onboarded: true,
  admin: false,
  profiles: [alex, sam],
  selected: 'a',
  path: '/movies/',
  ...more,
})

describe('the profile gate (Spec §2)', () => {
  it.each<[string, Partial<RouteVisitor>, object]>([
    ['nobody', { signedIn: false, profiles: [] }, { kind: 'go', to: '/login/', redirect: '/movies/' }],
    ['nobody at sign-in', { signedIn: false, path: '/login/' }, { kind: 'stay' }],
    ['somebody at sign-in', { path: '/login/?redirect=/mylist/' }, { kind: 'go', to: '/' }],
    ['not onboarded', { onboarded: false }, { kind: 'go', to: '/onboarding/' }],
    ['no profile', { profiles: [] }, { kind: 'go', to: '/onboarding/' }],
    ['onboarded at onboarding', { path: '/onboarding/' }, { kind: 'go', to: '/profiles/', redirect: '/' }],
    ['one open profile', { profiles: [alex], selected: null }, { kind: 'select', profileId: 'a' }],
    [
      'one locked profile',
      { profiles: [{ ...alex, unlocked: false }], selected: null },
      { kind: 'go', to: '/profiles/', redirect: '/movies/', unlock: 'a' },
    ],
    ['several, none chosen', { selected: null }, { kind: 'go', to: '/profiles/', redirect: '/movies/' }],
    [
      'one chosen that is locked by now',
      { profiles: [{ ...alex, unlocked: false }, sam] },
      { kind: 'go', to: '/profiles/', redirect: '/movies/' },
    ],
    ['one chosen', {}, { kind: 'stay' }],
    ['a viewer at the dashboard', { path: '/dashboard/' }, { kind: 'go', to: '/' }],
    [
      'an administrator on another profile',
      { path: '/dashboard/', admin: true, selected: 'b' },
      { kind: 'go', to: '/' },
    ],
    ['an administrator on the main profile', { path: '/dashboard/', admin: true }, { kind: 'stay' }],
  ])('%s', (_name, more, verdict) => {
    expect(guardRoute(visitor(more))).toEqual(verdict)
  })
})
