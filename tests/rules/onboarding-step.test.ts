/** The step with which onboarding begins. */
import { expect, it } from 'vitest'
import { chooseOnboardingStep } from '../../src/lib/rules/onboarding-step.ts'

it('onboarding begins with the language, and continues with the profile after the language was chosen', () => {
  expect(chooseOnboardingStep(null, false)).toBe('language')
  expect(chooseOnboardingStep('profile', false)).toBe('profile')
})

it('an account with a main profile continues with the genres', () => {
  expect(chooseOnboardingStep(null, true)).toBe('genres')
  expect(chooseOnboardingStep('profile', true)).toBe('genres')
})

it('an account without a main profile starts with the language, even if the tab stores a later step', () => {
  expect(chooseOnboardingStep('genres', false)).toBe('language')
})
