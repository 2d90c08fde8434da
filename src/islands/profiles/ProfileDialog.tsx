import { useStore } from '@nanostores/react'
import { type FormEvent, type ReactNode, useId, useRef, useState } from 'react'
import { createEditKey } from '../../lib/client/edit-key.ts'
import { ApiError } from '../../lib/client/errors.ts'
import type { Profile } from '../../lib/contract/profiles.ts'
import type { TranslationKey } from '../../lib/i18n/keys.ts'
import { LOCALE_NAMES, LOCALES, type Locale } from '../../lib/i18n/locales.ts'
import { getCurrentLocale, t } from '../../lib/i18n/t.ts'
import { AVATAR_COUNT } from '../../lib/rules/limits.ts'
import { $profiles } from '../../lib/stores/profile.ts'
import {
  createProfile,
  deleteProfile,
  isAdultProfileWithoutPin,
  type ProfileInput,
  updateProfile,
} from '../../lib/stores/profile-changes.ts'
import { showToast } from '../../lib/stores/toast.ts'
import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { DialogActions } from '../../ui/DialogActions.tsx'
import { Field } from '../../ui/Field.tsx'
import type { RejectIncompletePin } from '../../ui/PinInput.tsx'
import { Select } from '../../ui/Select.tsx'
import { StepFocus } from '../../ui/StepFocus.tsx'
import { Switch } from '../../ui/Switch.tsx'
import { useFormAction } from '../../ui/use-form-action.ts'
import { ConfirmActions } from '../ConfirmActions.tsx'
import { AvatarPicker } from './AvatarPicker.tsx'
import { NAME_ERROR_KEYS } from './name-errors.ts'
import { PasswordForm } from './PasswordForm.tsx'
import { ProfileLockSection } from './ProfileLockSection.tsx'
import { ProtectProfilesStep } from './ProtectProfilesStep.tsx'

const pickRandomAvatar = () => Math.floor(Math.random() * AVATAR_COUNT) + 1

/**
 * Step of the dialog. An object is the step that asks for the account password; `confirm` runs the action that needs
 * the password.
 */
type ProfileDialogStep =
  | 'form'
  | 'delete'
  | 'protect'
  | { confirm: (password: string) => Promise<void>; isDeletion: boolean }

/** Creates, edits or deletes a profile. Asks for the account password when the server requires it. */
export function ProfileDialog({ profile, onClose }: { profile: Profile | null; onClose: () => void }) {
  const [step, setStep] = useState<ProfileDialogStep>('form')
  const [newProfileKey] = useState(createEditKey)
  const rejectIncompletePinRef = useRef<RejectIncompletePin>(null)
  // The profile is read from the store, because its PIN can change while the dialog is open.
  const currentProfile = useStore($profiles)?.find(({ profile_id }) => profile_id === profile?.profile_id)
  const saveProfile = async (profileInput: ProfileInput) => {
    if (profile) await updateProfile(profile.profile_id, profileInput)
    else await createProfile({ ...profileInput, key: newProfileKey })
    showToast(profile ? 'profiles:updated' : 'profiles:created')
    if (profileInput.kids && $profiles.get()?.some(isAdultProfileWithoutPin)) setStep('protect')
    else onClose()
  }
  const deleteThisProfile = async (password?: string) => {
    if (!profile) return
    await deleteProfile(profile.profile_id, password)
    showToast('profiles:deleted')
    onClose()
  }
  /** Runs the action. If the server requires the account password, asks for it and runs the action again. */
  const runWithPasswordPrompt = async (
    action: (password?: string) => Promise<void>,
    failureKey: TranslationKey,
  ) => {
    try {
      await action()
    } catch (error) {
      const apiError = error instanceof ApiError ? error : null
      if (apiError?.type === 'profile_locked' || apiError?.errors['password'])
        setStep({ confirm: action, isDeletion: step === 'delete' })
      else if (apiError?.errors['name']) throw apiError
      else showToast(failureKey, { kind: 'bad' })
    }
  }
  const titleKey: TranslationKey =
    step === 'delete'
      ? 'profiles:deleteHeading'
      : step === 'protect'
        ? 'profiles:protectHeading'
        : profile
          ? 'profiles:editProfile'
          : 'profiles:create'
  return (
    <Dialog title={t(titleKey)} closeLabel={t('common:close')} onClose={onClose}>
      <StepFocus step={typeof step === 'string' ? step : 'password'} />
      {step === 'form' && (
        <ProfileForm
          profile={profile}
          canSave={() => !rejectIncompletePinRef.current?.()}
          onSave={(profileInput) =>
            runWithPasswordPrompt(
              (password) => saveProfile(password ? { ...profileInput, password } : profileInput),
              profile ? 'profiles:updateFailed' : 'profiles:createFailed',
            )
          }
          onDelete={() => setStep('delete')}
        >
          {profile && (
            <ProfileLockSection
              profile={currentProfile ?? profile}
              rejectIncompletePinRef={rejectIncompletePinRef}
            />
          )}
        </ProfileForm>
      )}
      {step === 'delete' && profile && (
        <>
          <p className="text-muted">{t('profiles:deleteText', { name: profile.name })}</p>
          <ConfirmActions
            label={t('common:delete')}
            onConfirm={() => runWithPasswordPrompt(deleteThisProfile, 'profiles:deleteFailed')}
            onCancel={() => setStep('form')}
          />
        </>
      )}
      {step === 'protect' && <ProtectProfilesStep onDone={onClose} />}
      {typeof step === 'object' && (
        <PasswordForm
          {...(step.isDeletion && { submitLabel: t('common:delete'), submitVariant: 'danger' as const })}
          onSubmit={step.confirm}
        />
      )}
    </Dialog>
  )
}

interface ProfileFormProps {
  profile: Profile | null
  /** Returns false if the user must first complete the PIN in `children`. */
  canSave: () => boolean
  onSave: (profileInput: ProfileInput) => Promise<void>
  onDelete: () => void
  /** Content between the fields and the buttons. It may contain other forms. */
  children: ReactNode
}

function ProfileForm({ profile, canSave, onSave, onDelete, children }: ProfileFormProps) {
  const formId = useId()
  const [avatar, setAvatar] = useState(profile?.avatar ?? pickRandomAvatar)
  const [language, setLanguage] = useState<Locale>(profile?.preferences.language ?? getCurrentLocale())
  const [isKids, setIsKids] = useState(profile?.kids ?? false)
  const { error, setError, isSubmitting, submit } = useFormAction((failure) => {
    const nameErrorCode = failure instanceof ApiError ? failure.errors['name']?.[0] : undefined
    return t(NAME_ERROR_KEYS[nameErrorCode ?? ''] ?? 'profiles:nameTooLong')
  })
  const submitForm = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const name = String(new FormData(event.currentTarget).get('name'))
    if (!name.trim()) return setError(t('profiles:nameEmpty'))
    if (!canSave()) return
    const hasKidsChanged = isKids !== (profile?.kids ?? false)
    void submit(() =>
      onSave({ name, avatar, preferences: { language }, ...(hasKidsChanged && { kids: isKids }) }),
    )
  }
  return (
    <>
      <form id={formId} onSubmit={submitForm} className="flex flex-col gap-5">
        <AvatarPicker value={avatar} onChange={setAvatar} />
        <Field
          label={t('profiles:name')}
          name="name"
          defaultValue={profile?.name ?? ''}
          autoComplete="off"
          error={error}
        />
        <Select
          label={t('profiles:language')}
          value={language}
          options={LOCALES.map((locale) => ({ value: locale, label: LOCALE_NAMES[locale], lang: locale }))}
          onChange={setLanguage}
        />
        {!profile?.main && (
          <Switch
            label={t('profiles:kidsProfile')}
            hint={t('profiles:kidsHint')}
            checked={isKids}
            onChange={setIsKids}
          />
        )}
      </form>
      {children}
      <DialogActions>
        {profile && !profile.main && (
          <Button variant="danger" onClick={onDelete}>
            {t('common:delete')}
          </Button>
        )}
        <Button variant="primary" type="submit" form={formId} aria-disabled={isSubmitting}>
          {t('common:save')}
        </Button>
      </DialogActions>
    </>
  )
}
