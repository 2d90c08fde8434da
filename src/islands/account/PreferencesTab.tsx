import { useStore } from '@nanostores/react'
import type { User } from '../../lib/contract/auth.ts'
import type { Profile } from '../../lib/contract/profiles.ts'
import { formatQuality, getLanguageName } from '../../lib/i18n/format.ts'
import type { TranslationKey } from '../../lib/i18n/keys.ts'
import { LOCALE_NAMES, LOCALES, type Locale } from '../../lib/i18n/locales.ts'
import { formatNumber, getCurrentLocale, t } from '../../lib/i18n/t.ts'
import { localisePath } from '../../lib/routes.ts'
import { MEDIA_QUALITIES, TEXT_SIZES_PERCENT } from '../../lib/rules/limits.ts'
import { PROOF_EXEMPT_SETTINGS } from '../../lib/rules/own-settings.ts'
import { MEDIA_TITLE_LANGUAGES } from '../../lib/rules/title-options.ts'
import { $liteMode, setLiteMode } from '../../lib/stores/lite-mode.ts'
import { $hasRestrictedViewer } from '../../lib/stores/parent.ts'
import { saveAccountPreferences, saveProfilePreferences } from '../../lib/stores/preferences.ts'
import { $profile } from '../../lib/stores/profile.ts'
import { discardAllReads } from '../../lib/stores/query.ts'
import { storeLocale } from '../../lib/stores/route-guard.ts'
import { $user } from '../../lib/stores/session.ts'
import { showToast } from '../../lib/stores/toast.ts'
import { SavedSelect } from '../../ui/SavedSelect.tsx'
import { SavedSwitch } from '../../ui/SavedSwitch.tsx'
import { Select } from '../../ui/Select.tsx'
import { SingleKeySwitch } from '../SingleKeySwitch.tsx'

async function saveWithToast(saveAction: () => Promise<unknown>): Promise<boolean> {
  try {
    await saveAction()
    showToast('account:preferencesUpdated')
    return true
  } catch {
    showToast('account:preferencesFailed', { kind: 'bad' })
    return false
  }
}

export function PreferencesTab() {
  const user = useStore($user)
  const profile = useStore($profile)
  if (!user || !profile) return null
  return (
    <div className="flex max-w-xl flex-col gap-10">
      <AccountPreferences preferences={user.preferences} profile={profile} />
      <ProfilePreferences profile={profile} />
      <DevicePreferences />
    </div>
  )
}

/** The preferences that a kids profile may change without an adult (rules/own-settings.ts). */
export function KidsPreferences({ profile }: { profile: Profile }) {
  return (
    <div className="flex max-w-xl flex-col gap-10">
      <InterfaceLanguageSelect
        profile={profile}
        onSave={async (language) => {
          await saveProfilePreferences({ language })
        }}
      />
      <ProfilePreferences profile={profile} />
      <DevicePreferences />
    </div>
  )
}

function InterfaceLanguageSelect({
  profile,
  onSave,
}: {
  profile: Profile
  onSave: (language: Locale) => Promise<void>
}) {
  return (
    <SavedSelect
      label={t('account:interfaceLanguage')}
      value={profile.preferences.language}
      options={LOCALES.map((locale) => ({ value: locale, label: LOCALE_NAMES[locale], lang: locale }))}
      onSave={async (language) => {
        if (!(await saveWithToast(() => onSave(language)))) return false
        storeLocale(language)
        location.assign(localisePath(location.pathname + location.search, language))
        return true
      }}
    />
  )
}

/**
 * Returns the title language that applies to the profile. The rules are those of server/services/auth/caller.ts. The
 * profile's own choice comes first. Without a choice, the title language of the account applies if profile and
 * account have the same interface language. Otherwise, titles have the language of the profile.
 */
function findTitleLanguage(
  { preferences }: Profile,
  accountPreferences: User['preferences'] | undefined,
): string {
  const { language, media_title_language: languageChoice } = preferences
  if (languageChoice || !accountPreferences || language !== accountPreferences.interface_language)
    return languageChoice ?? 'profile'
  return accountPreferences.title_language === language ? 'profile' : accountPreferences.title_language
}

/** Values of the preference "title language" that are not language codes. */
const CHOICES_WITHOUT_LANGUAGE_CODE = new Set(['profile', 'original'])

function TitleLanguageSelect({ profile }: { profile: Profile }) {
  const titleLanguage = findTitleLanguage(profile, useStore($user)?.preferences)
  const getLanguageLabel = (languageCode: string) => getLanguageName(languageCode, getCurrentLocale())
  const languages =
    LOCALES.some((locale) => locale === titleLanguage) || CHOICES_WITHOUT_LANGUAGE_CODE.has(titleLanguage)
      ? LOCALES
      : [...LOCALES, titleLanguage]
  return (
    <SavedSelect
      label={t('account:titleLanguage')}
      value={titleLanguage}
      options={[
        {
          value: 'profile',
          label: t('account:titleLanguageProfile', {
            language: getLanguageLabel(profile.preferences.language),
          }),
        },
        { value: 'original', label: t('account:titleLanguageOriginal') },
        ...languages.map((languageCode) => ({
          value: languageCode as string,
          label: getLanguageLabel(languageCode),
        })),
      ]}
      onSave={async (choice) => {
        const media_title_language = MEDIA_TITLE_LANGUAGES.find((language) => language === choice)
        const isSaved =
          media_title_language !== undefined &&
          (await saveWithToast(() => saveProfilePreferences({ media_title_language })))
        if (isSaved) discardAllReads()
        return isSaved
      }}
    />
  )
}
function AccountPreferences({
  preferences,
  profile,
}: {
  preferences: User['preferences']
  profile: Profile
}) {
  return (
    <section aria-label={t('account:preferences')} className="flex flex-col gap-5">
      <InterfaceLanguageSelect
        profile={profile}
        onSave={async (language) => {
          await saveAccountPreferences({ interface_language: language })
          await saveProfilePreferences({ language })
        }}
      />
      <SavedSelect
        label={t('account:mediaQuality')}
        value={preferences.media_quality}
        options={MEDIA_QUALITIES.map((quality) => ({
          value: quality,
          label: quality === 'auto' ? t('account:auto') : formatQuality(quality),
        }))}
        onSave={(media_quality) => saveWithToast(() => saveAccountPreferences({ media_quality }))}
      />
    </section>
  )
}

type PreferenceSwitchName = {
  [Name in keyof Profile['preferences']]-?: Profile['preferences'][Name] extends boolean ? Name : never
}[keyof Profile['preferences']]
const PREFERENCE_SWITCHES: readonly {
  name: PreferenceSwitchName
  label: TranslationKey
  hint?: TranslationKey
}[] = [
  { name: 'autoplay_next', label: 'account:autoplayNext' },
  { name: 'autoplay_previews', label: 'account:autoplayPreviews' },
  { name: 'hide_spoilers', label: 'account:hideSpoilers' },
  { name: 'captions', label: 'account:captionsOn' },
  { name: 'high_contrast', label: 'account:highContrast' },
  { name: 'less_motion', label: 'account:lessMotion' },
  { name: 'simple_home', label: 'account:simpleHome', hint: 'account:simpleHomeHint' },
]

function ProfilePreferences({ profile }: { profile: Profile }) {
  const hasRestrictedViewer = useStore($hasRestrictedViewer)
  const savePreferences = (preferences: Partial<Profile['preferences']>) =>
    saveWithToast(() => saveProfilePreferences(preferences))
  return (
    <section aria-label={t('account:forProfile', { name: profile.name })} className="divide-y divide-line">
      <h2 className="pb-3 text-lg font-bold">{t('account:forProfile', { name: profile.name })}</h2>
      <div className="py-3">
        <TitleLanguageSelect profile={profile} />
      </div>
      <div className="py-3">
        <SavedSelect
          label={t('account:textSize')}
          value={String(profile.preferences.text_size)}
          options={TEXT_SIZES_PERCENT.map((textSize) => ({
            value: String(textSize),
            label: formatNumber(textSize / 100, { style: 'percent' }),
          }))}
          onSave={async (selectedValue) => {
            const text_size = TEXT_SIZES_PERCENT.find((textSize) => String(textSize) === selectedValue)
            return text_size !== undefined && savePreferences({ text_size })
          }}
        />
      </div>
      {PREFERENCE_SWITCHES.filter(
        ({ name }) =>
          !hasRestrictedViewer || PROOF_EXEMPT_SETTINGS.some((setting) => setting === `preferences.${name}`),
      ).map(({ name, label, hint }) => (
        <SavedSwitch
          key={name}
          label={t(label)}
          hint={hint && t(hint)}
          checked={profile.preferences[name]}
          onSave={(checked) => savePreferences({ [name]: checked })}
        />
      ))}
    </section>
  )
}

/** Lite mode and single-key shortcuts are stored per device, because they depend on the hardware. */
function DevicePreferences() {
  const liteMode = useStore($liteMode)
  return (
    <section aria-label={t('account:onDevice')} className="flex flex-col gap-3">
      <h2 className="text-lg font-bold">{t('account:onDevice')}</h2>
      <Select
        label={t('account:lite')}
        value={liteMode}
        options={[
          { value: 'auto', label: t('account:auto') },
          { value: '1', label: t('account:liteOn') },
          { value: '0', label: t('account:liteOff') },
        ]}
        onChange={setLiteMode}
      />
      <p className="text-sm text-muted">{t('account:liteHint')}</p>
      <SingleKeySwitch label={t('account:singleKeys')} hint={t('account:singleKeysHint')} />
    </section>
  )
}
