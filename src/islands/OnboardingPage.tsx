import { useStore } from '@nanostores/react'
import { type FormEvent, useState } from 'react'
import { LOCALE_NAMES, LOCALES, type Locale } from '../lib/i18n/locales.ts'
import { getCurrentLocale, t, translateDynamicKey } from '../lib/i18n/t.ts'
import { localisePath } from '../lib/routes.ts'
import { listSelectableGenreIds } from '../lib/rules/genres.ts'
import { AVATAR_COUNT, MIN_GENRES_PER_TYPE } from '../lib/rules/limits.ts'
import { chooseOnboardingStep, ONBOARDING_STEPS, type OnboardingStep } from '../lib/rules/onboarding-step.ts'
import { ONBOARDING_STEP_KEY } from '../lib/storage-keys.ts'
import { getPathAfterSignIn } from '../lib/stores/path-after-sign-in.ts'
import { $profiles } from '../lib/stores/profile.ts'
import { saveMainProfile, updateProfile } from '../lib/stores/profile-changes.ts'
import { enterProfile, storeLocale } from '../lib/stores/route-guard.ts'
import { showToast } from '../lib/stores/toast.ts'
import { updateUser } from '../lib/stores/update-user.ts'
import { Button } from '../ui/Button.tsx'
import { Field } from '../ui/Field.tsx'
import { StepFocus } from '../ui/StepFocus.tsx'
import { useAction } from '../ui/use-action.ts'
import { useFormAction } from '../ui/use-form-action.ts'
import { AuthFrame } from './auth/AuthFrame.tsx'
import { GuardedPage } from './GuardedPage.tsx'
import { AvatarPicker } from './profiles/AvatarPicker.tsx'

const HEADINGS_BY_STEP = {
  language: 'onboarding:languageHeading',
  profile: 'onboarding:profileHeading',
  genres: 'onboarding:genresHeading',
} as const

export default function OnboardingPage() {
  return (
    <GuardedPage>
      <OnboardingSteps />
    </GuardedPage>
  )
}

/** Shows one step at a time, starting with the step that `chooseOnboardingStep` returns. */
function OnboardingSteps() {
  const mainProfile = useStore($profiles)?.find((profile) => profile.main)
  const [step, setStep] = useState(() =>
    chooseOnboardingStep(sessionStorage.getItem(ONBOARDING_STEP_KEY), mainProfile !== undefined),
  )
  const goToStep = (nextStep: OnboardingStep) => {
    sessionStorage.setItem(ONBOARDING_STEP_KEY, nextStep)
    setStep(nextStep)
  }
  const hint = t('onboarding:step', {
    step: ONBOARDING_STEPS.indexOf(step) + 1,
    steps: ONBOARDING_STEPS.length,
  })
  return (
    <AuthFrame title={t(HEADINGS_BY_STEP[step])} hint={hint} width={step === 'genres' ? 'medium' : 'narrow'}>
      <StepFocus step={step} />
      {step === 'language' && <LanguageStep onDone={() => goToStep('profile')} />}
      {step === 'profile' && <ProfileStep onDone={() => goToStep('genres')} />}
      {step === 'genres' && <GenreStep />}
    </AuthFrame>
  )
}

function LanguageStep({ onDone }: { onDone: () => void }) {
  const selectLocale = (locale: Locale) => {
    storeLocale(locale)
    if (locale === getCurrentLocale()) return onDone()
    sessionStorage.setItem(ONBOARDING_STEP_KEY, 'profile')
    location.assign(localisePath(location.pathname, locale) + location.search)
  }
  return (
    <ul className="grid gap-3">
      {LOCALES.map((locale) => (
        <li key={locale}>
          <Button
            lang={locale}
            aria-current={locale === getCurrentLocale() ? 'true' : undefined}
            variant={locale === getCurrentLocale() ? 'primary' : 'plain'}
            className="w-full"
            onClick={() => selectLocale(locale)}
          >
            {LOCALE_NAMES[locale]}
          </Button>
        </li>
      ))}
    </ul>
  )
}

function ProfileStep({ onDone }: { onDone: () => void }) {
  const [avatar, setAvatar] = useState(() => Math.floor(Math.random() * AVATAR_COUNT) + 1)
  const { error, setError, isSubmitting, submit } = useFormAction<string>(() => {
    showToast('profiles:createFailed', { kind: 'bad' })
    return null
  })
  const saveProfile = async (name: string) => {
    const language = getCurrentLocale()
    await saveMainProfile({ name, avatar, preferences: { language } })
    await updateUser({ preferences: { interface_language: language, title_language: language } })
    onDone()
  }
  const submitForm = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const name = String(new FormData(event.currentTarget).get('name'))
    if (name.trim()) void submit(() => saveProfile(name))
    else setError(t('profiles:nameEmpty'))
  }
  return (
    <form onSubmit={submitForm} className="flex flex-col gap-5">
      <Field label={t('profiles:name')} name="name" autoComplete="nickname" error={error} />
      <AvatarPicker value={avatar} onChange={setAvatar} />
      <Button variant="primary" type="submit" aria-disabled={isSubmitting}>
        {t('common:next')}
      </Button>
    </form>
  )
}

function GenreStep() {
  const mainProfile = useStore($profiles)?.find((profile) => profile.main)
  const [selectedGenresByType, setSelectedGenresByType] = useState<{ movie: number[]; tv: number[] }>({
    movie: [],
    tv: [],
  })
  const [isSubmitting, runAction] = useAction()
  const hasEnoughGenres =
    selectedGenresByType.movie.length >= MIN_GENRES_PER_TYPE &&
    selectedGenresByType.tv.length >= MIN_GENRES_PER_TYPE
  const toggleGenre = (type: 'movie' | 'tv', genreId: number) =>
    setSelectedGenresByType({
      ...selectedGenresByType,
      [type]: selectedGenresByType[type].includes(genreId)
        ? selectedGenresByType[type].filter((selectedId) => selectedId !== genreId)
        : [...selectedGenresByType[type], genreId],
    })
  const finishOnboarding = async () => {
    if (!mainProfile) return
    try {
      await updateProfile(mainProfile.profile_id, { preferences: { content_genres: selectedGenresByType } })
      await updateUser({ onboarded: true })
      sessionStorage.removeItem(ONBOARDING_STEP_KEY)
      enterProfile(mainProfile.profile_id, getPathAfterSignIn())
    } catch {
      showToast('profiles:updateFailed', { kind: 'bad' })
    }
  }
  return (
    <div className="flex flex-col gap-5">
      <p className="text-muted">{t('onboarding:genresHint')}</p>
      {(['movie', 'tv'] as const).map((type) => (
        <fieldset key={type}>
          <legend className="mb-2 font-semibold">
            {t(type === 'movie' ? 'common:movies' : 'common:tvShows')}
          </legend>
          <div className="flex flex-wrap gap-2">
            {listSelectableGenreIds(type, false).map((genreId) => (
              <button
                key={genreId}
                type="button"
                aria-pressed={selectedGenresByType[type].includes(genreId)}
                onClick={() => toggleGenre(type, genreId)}
                className="min-h-11 rounded-full border border-line bg-overlay px-4 text-sm aria-pressed:border-accent aria-pressed:bg-accent aria-pressed:text-accent-ink"
              >
                {translateDynamicKey(`genres:${genreId}`, '')}
              </button>
            ))}
          </div>
        </fieldset>
      ))}
      <Button
        variant="primary"
        disabled={!hasEnoughGenres}
        aria-disabled={isSubmitting}
        onClick={() => void runAction(finishOnboarding)}
      >
        {t('onboarding:finish')}
      </Button>
    </div>
  )
}
