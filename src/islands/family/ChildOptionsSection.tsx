import { useStore } from '@nanostores/react'
import type { Profile } from '../../lib/contract/profiles.ts'
import { t } from '../../lib/i18n/t.ts'
import { getChildOptionsStore, saveChildOptions } from '../../lib/stores/viewing-limits.ts'
import { Switch } from '../../ui/Switch.tsx'
import { SectionPlaceholder } from '../SectionPlaceholder.tsx'

/**
 * Settings of a child: whether the child may ask for titles and, for a kids profile, whether the browser reads
 * focused elements aloud.
 */
export function ChildOptionsSection({ profile }: { profile: Profile }) {
  const childOptionsStore = getChildOptionsStore(profile.profile_id)
  const { data: childOptions } = useStore(childOptionsStore)
  if (!childOptions) return <SectionPlaceholder $read={childOptionsStore} />
  const saveOptions = (changes: Partial<typeof childOptions>) =>
    void saveChildOptions(profile.profile_id, changes)
  return (
    <section aria-label={t('requests:childOptions')} className="max-w-2xl">
      <Switch
        label={t('requests:mayAsk')}
        hint={t('requests:mayAskHint')}
        checked={childOptions.may_ask}
        onChange={(may_ask) => saveOptions({ may_ask })}
      />
      {profile.kids && (
        <Switch
          label={t('requests:spokenLabels')}
          hint={t('requests:spokenLabelsHint')}
          checked={childOptions.spoken_labels}
          onChange={(spoken_labels) => saveOptions({ spoken_labels })}
        />
      )}
    </section>
  )
}
