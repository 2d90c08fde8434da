import { type FormEvent, useState } from 'react'
import { createEditKey } from '../../lib/client/edit-key.ts'
import { ApiError } from '../../lib/client/errors.ts'
import type { ProfileLimits } from '../../lib/contract/profile-limits.ts'
import type { Profile } from '../../lib/contract/profiles.ts'
import { isolateBidi } from '../../lib/i18n/isolate-bidi.ts'
import { t } from '../../lib/i18n/t.ts'
import { suggestProfileLimits } from '../../lib/rules/maturity.ts'
import { $profiles } from '../../lib/stores/profile.ts'
import { createProfile, isAdultProfileWithoutPin } from '../../lib/stores/profile-changes.ts'
import { showToast } from '../../lib/stores/toast.ts'
import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { DialogActions } from '../../ui/DialogActions.tsx'
import { Field } from '../../ui/Field.tsx'
import { Select } from '../../ui/Select.tsx'
import { StepFocus } from '../../ui/StepFocus.tsx'
import { Switch } from '../../ui/Switch.tsx'
import { useAction } from '../../ui/use-action.ts'
import { NAME_ERROR_KEYS } from '../profiles/name-errors.ts'
import { ProtectProfilesStep } from '../profiles/ProtectProfilesStep.tsx'
import { ADDITIONAL_SETUP_STEPS } from './additional-sections.ts'
import { LimitFields } from './LimitFields.tsx'

const AGE_CHOICES_YEARS = Array.from({ length: 16 }, (_, index) => index + 2)
const DEFAULT_AGE_YEARS = 7

interface ChildSettings {
  kids: boolean
  limits: ProfileLimits
}
const suggestSettings = (ageYears: number): ChildSettings => {
  const { kids, max_age, guide } = suggestProfileLimits(ageYears)
  return { kids, limits: { max_age, guide, accepts_unknown_guide: true } }
}

/** Step of the dialog. A number is an index in `ADDITIONAL_SETUP_STEPS`, whose steps follow after `settings`. */
type SetupStepKey = 'child' | 'settings' | 'protect' | number

interface Props {
  /** Called with the profile that was created, if any. */
  onClose: (profile: Profile | null) => void
}

/** Sets up a child: its name and age, settings that suit this age, and PINs for the other profiles. */
export default function ChildSetupDialog({ onClose }: Props) {
  const [step, setStep] = useState<SetupStepKey>('child')
  const [name, setName] = useState('')
  const [nameErrorText, setNameErrorText] = useState<string | null>(null)
  const [ageYears, setAgeYears] = useState(DEFAULT_AGE_YEARS)
  const [settings, setSettings] = useState(() => suggestSettings(DEFAULT_AGE_YEARS))
  const [newProfileKey] = useState(createEditKey)
  const [profile, setProfile] = useState<Profile | null>(null)
  const [isSaving, runAction] = useAction()
  /**
   * Closes the dialog and shows a message if a profile was created. Called after the last step, when all choices of the
   * parent are stored.
   */
  const finishSetup = (createdProfile: Profile | null) => {
    if (createdProfile) showToast('family:setUpDone', { values: { name: isolateBidi(createdProfile.name) } })
    onClose(createdProfile)
  }
  const showStepAfter = (index: number, createdProfile = profile) => {
    if (index + 1 < ADDITIONAL_SETUP_STEPS.length) setStep(index + 1)
    else if ($profiles.get()?.some(isAdultProfileWithoutPin)) setStep('protect')
    else finishSetup(createdProfile)
  }
  const saveProfile = async () => {
    try {
      // The limits are stored in the same call, so that the profile never exists without them.
      const createdProfile = await createProfile({ key: newProfileKey, name, ...settings })
      setProfile(createdProfile)
      showStepAfter(-1, createdProfile)
    } catch (error) {
      const nameErrorCode = error instanceof ApiError ? error.errors['name']?.[0] : undefined
      if (nameErrorCode === undefined) showToast('family:setUpFailed', { kind: 'bad' })
      else {
        setNameErrorText(t(NAME_ERROR_KEYS[nameErrorCode] ?? 'profiles:nameTooLong'))
        setStep('child')
      }
    }
  }
  const AdditionalStep = typeof step === 'number' ? ADDITIONAL_SETUP_STEPS[step]?.Step : undefined
  return (
    <Dialog
      title={t(step === 'protect' ? 'profiles:protectHeading' : 'family:setUp')}
      closeLabel={t('common:close')}
      onClose={() => onClose(profile)}
    >
      <StepFocus step={String(step)} />
      <div className="flex flex-col gap-5">
        {step === 'child' && (
          <ChildForm
            name={name}
            nameErrorText={nameErrorText}
            ageYears={ageYears}
            onSubmit={(child) => {
              setName(child.name)
              setAgeYears(child.ageYears)
              setSettings(suggestSettings(child.ageYears))
              setNameErrorText(null)
              setStep('settings')
            }}
          />
        )}
        {step === 'settings' && (
          <>
            <p className="text-muted">{t('family:setUpText')}</p>
            <Switch
              hasInitialFocus
              label={t('family:setUpKids')}
              hint={t('profiles:kidsHint')}
              checked={settings.kids}
              onChange={(kids) => setSettings({ ...settings, kids })}
            />
            <LimitFields
              limits={settings.limits}
              onChange={(change) => setSettings({ ...settings, limits: { ...settings.limits, ...change } })}
              isGuideCollapsed
            />
            <DialogActions>
              <Button aria-disabled={isSaving} onClick={() => setStep('child')}>
                {t('common:back')}
              </Button>
              <Button variant="primary" aria-disabled={isSaving} onClick={() => void runAction(saveProfile)}>
                {t('family:setUpFinish')}
              </Button>
            </DialogActions>
          </>
        )}
        {AdditionalStep && profile && typeof step === 'number' && (
          <AdditionalStep profile={profile} ageYears={ageYears} onDone={() => showStepAfter(step)} />
        )}
        {step === 'protect' && <ProtectProfilesStep onDone={() => finishSetup(profile)} />}
      </div>
    </Dialog>
  )
}

interface ChildFormProps {
  name: string
  nameErrorText: string | null
  ageYears: number
  onSubmit: (child: { name: string; ageYears: number }) => void
}

function ChildForm({ name, nameErrorText, ageYears, onSubmit }: ChildFormProps) {
  const [errorText, setErrorText] = useState(nameErrorText)
  const [selectedAgeYears, setSelectedAgeYears] = useState(ageYears)
  const submitForm = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const enteredName = String(new FormData(event.currentTarget).get('name'))
    if (enteredName.trim()) onSubmit({ name: enteredName, ageYears: selectedAgeYears })
    else setErrorText(t('profiles:nameEmpty'))
  }
  return (
    <form onSubmit={submitForm} className="flex flex-col gap-5">
      <Field
        data-first
        label={t('family:setUpName')}
        name="name"
        defaultValue={name}
        autoComplete="off"
        error={errorText}
      />
      <Select
        label={t('family:setUpAge')}
        value={String(selectedAgeYears)}
        options={AGE_CHOICES_YEARS.map((optionAgeYears) => ({
          value: String(optionAgeYears),
          label: t('family:setUpAgeValue', { count: optionAgeYears }),
        }))}
        onChange={(value) => setSelectedAgeYears(Number(value))}
      />
      <DialogActions>
        <Button variant="primary" type="submit">
          {t('common:next')}
        </Button>
      </DialogActions>
    </form>
  )
}
