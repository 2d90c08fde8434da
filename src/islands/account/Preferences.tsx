import { useStore } from '@nanostores/react'
import type { User } from '../../lib/contract/auth.ts'
import type { Profile } from '../../lib/contract/profiles.ts'
import { languageName } from '../../lib/i18n/format.ts'
import { LOCALE_NAMES, LOCALES } from '../../lib/i18n/locales.ts'
import { currentLocale, t } from '../../lib/i18n/t.ts'
import { inLocale } from '../../lib/routes.ts'
import { LANGUAGES, MEDIA_QUALITIES } from '../../lib/rules/limits.ts'
import { rememberLocale } from '../../lib/stores/gate.ts'
import { preferForAccount, preferForProfile } from '../../lib/stores/preferences.ts'
import { $profile } from '../../lib/stores/profile.ts'
import { forgetAll } from '../../lib/stores/query.ts'
import { $user } from '../../lib/stores/session.ts'
import { toast } from '../../lib/stores/toast.ts'
import { Select } from '../../ui/Select.tsx'
import { Switch } from '../../ui/Switch.tsx'

async function save(work: () => Promise<unknown>): Promise<boolean> {
  try {
    await work()
    toast('account:preferencesUpdated')
    return true
  } catch {
    toast('account:preferencesFailed', { kind: 'bad' })
    return false
  }
}

export function Preferences() {
  const user = useStore($user)
  const profile = useStore($profile)
  if (!user || !profile) return null
  return (
    <div className="flex max-w-xl flex-col gap-10">
      <AccountPreferences preferences={user.preferences} profile={profile} />
      <ProfilePreferences profile={profile} />
    </div>
  )
}

function AccountPreferences({
  preferences,
  profile,
}: {
  preferences: User['preferences']
  profile: Profile
}) {
  const languages = LANGUAGES.map((code) => ({
    value: code as string,
    label: languageName(code, currentLocale()),
  }))
  return (
    <section aria-label={t('account:preferences')} className="flex flex-col gap-5">
      <Select
        label={t('account:interfaceLanguage')}
        value={profile.preferences.language}
        options={LOCALES.map((one) => ({ value: one, label: LOCALE_NAMES[one] }))}
        onChange={async (language) => {
          const saved = await save(async () => {
            await preferForAccount({ interface_language: language })
            await preferForProfile({ language })
          })
          if (!saved) return
          rememberLocale(language)
          location.assign(inLocale(location.pathname + location.search, language))
        }}
      />
      <Select
        label={t('account:titleLanguage')}
        value={preferences.title_language}
        options={languages}
        onChange={async (title_language) => {
          if (await save(() => preferForAccount({ title_language }))) forgetAll()
        }}
      />
      <Select
        label={t('account:mediaQuality')}
        value={preferences.media_quality}
        options={MEDIA_QUALITIES.map((one) => ({
          value: one,
          label: one === 'auto' ? t('account:auto') : one,
        }))}
        onChange={(media_quality) => void save(() => preferForAccount({ media_quality }))}
      />
    </section>
  )
}

function ProfilePreferences({ profile }: { profile: Profile }) {
  const { autoplay_next, autoplay_previews, hide_spoilers } = profile.preferences
  const set = (preferences: Partial<Profile['preferences']>) => void save(() => preferForProfile(preferences))
  return (
    <section aria-label={t('account:forProfile', { name: profile.name })} className="divide-y divide-line">
      <h2 className="pb-3 text-lg font-bold">{t('account:forProfile', { name: profile.name })}</h2>
      <Switch
        label={t('account:autoplayNext')}
        checked={autoplay_next}
        onChange={(on) => set({ autoplay_next: on })}
      />
      <Switch
        label={t('account:autoplayPreviews')}
        checked={autoplay_previews}
        onChange={(on) => set({ autoplay_previews: on })}
      />
      <Switch
        label={t('account:hideSpoilers')}
        checked={hide_spoilers}
        onChange={(on) => set({ hide_spoilers: on })}
      />
    </section>
  )
}
