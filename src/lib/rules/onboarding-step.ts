/** The steps of onboarding, in their order. */
export const ONBOARDING_STEPS = ['language', 'profile', 'genres'] as const
export type OnboardingStep = (typeof ONBOARDING_STEPS)[number]

/**
 * Returns the first step that onboarding shows. An account with a main profile always continues with the genres.
 * `storedStep` is the last step that this browser tab reached, perhaps for another account.
 */
export function chooseOnboardingStep(storedStep: string | null, hasMainProfile: boolean): OnboardingStep {
  if (hasMainProfile) return 'genres'
  return storedStep === 'profile' ? 'profile' : 'language'
}
