import { useStore } from '@nanostores/react'
import { useId } from 'react'
import type { ProfileLimits } from '../../lib/contract/profile-limits.ts'
import type { Profile } from '../../lib/contract/profiles.ts'
import { t } from '../../lib/i18n/t.ts'
import { changeLimits, getLimitsStore } from '../../lib/stores/family.ts'
import { showToast } from '../../lib/stores/toast.ts'
import { SectionPlaceholder } from '../SectionPlaceholder.tsx'
import { LimitFields } from './LimitFields.tsx'

/** Age limit and limits of the parental guide of one profile. Each change is saved immediately. */
export function LimitsSection({ profile }: { profile: Profile }) {
  const headingId = useId()
  const limitsStore = getLimitsStore(profile.profile_id)
  const { data: limits } = useStore(limitsStore)
  const saveChange = async (changes: Partial<ProfileLimits>) => {
    if (await changeLimits(profile.profile_id, changes)) showToast('family:limitsSaved')
  }
  return (
    <section aria-labelledby={headingId} className="flex flex-col gap-4">
      <h3 id={headingId} className="font-bold">
        {t('family:limits')}
      </h3>
      {profile.kids && <p className="text-sm text-muted">{t('family:kidsHint')}</p>}
      <SectionPlaceholder $read={limitsStore} />
      {limits && <LimitFields limits={limits} onChange={(changes) => void saveChange(changes)} />}
    </section>
  )
}
