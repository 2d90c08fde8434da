import { useState } from 'react'
import type { Profile } from '../../lib/contract/profiles.ts'
import type { ViewingLimitFields } from '../../lib/contract/viewing-time.ts'
import { t } from '../../lib/i18n/t.ts'
import { suggestViewingLimits } from '../../lib/rules/viewing-suggestions.ts'
import { saveChildOptions, saveViewingLimits } from '../../lib/stores/viewing-limits.ts'
import { Button } from '../../ui/Button.tsx'
import { DialogActions } from '../../ui/DialogActions.tsx'
import { Switch } from '../../ui/Switch.tsx'
import { useAction } from '../../ui/use-action.ts'
import { ViewingLimitFieldset } from './ViewingTimeSection.tsx'

/**
 * From this age on, most children can read and type, so they may ask for titles by default. For a younger child with a
 * kids profile, labels are read aloud by default.
 */
const MIN_READING_AGE_YEARS = 7

interface Props {
  profile: Profile
  ageYears: number
  onDone: () => void
}

/**
 * Step of the setup of a child: the viewing time for the age of the child, whether the child may ask for titles, and
 * whether labels are read aloud.
 */
export function ViewingTimeStep({ profile, ageYears, onDone }: Props) {
  const [limits, setLimits] = useState<ViewingLimitFields>(() => suggestViewingLimits(ageYears))
  const [canAsk, setCanAsk] = useState(ageYears >= MIN_READING_AGE_YEARS)
  const [hasSpokenLabels, setHasSpokenLabels] = useState(profile.kids && ageYears < MIN_READING_AGE_YEARS)
  const [isSaving, runAction] = useAction()
  const saveLimits = async () => {
    const isSaved =
      (await saveViewingLimits(profile.profile_id, limits)) &&
      (await saveChildOptions(profile.profile_id, { may_ask: canAsk, spoken_labels: hasSpokenLabels }))
    if (isSaved) onDone()
  }
  return (
    <>
      <div>
        <h3 className="font-bold">{t('viewingtime:title')}</h3>
        <p className="text-muted">{t('viewingtime:setUpText')}</p>
      </div>
      <ViewingLimitFieldset limits={limits} onChange={(change) => setLimits({ ...limits, ...change })} />
      <Switch
        label={t('requests:mayAsk')}
        hint={t('requests:mayAskHint')}
        checked={canAsk}
        onChange={setCanAsk}
      />
      {profile.kids && (
        <Switch
          label={t('requests:spokenLabels')}
          hint={t('requests:spokenLabelsHint')}
          checked={hasSpokenLabels}
          onChange={setHasSpokenLabels}
        />
      )}
      <DialogActions>
        <Button variant="quiet" aria-disabled={isSaving} onClick={onDone}>
          {t('viewingtime:withoutLimits')}
        </Button>
        <Button variant="primary" aria-disabled={isSaving} onClick={() => void runAction(saveLimits)}>
          {t('common:next')}
        </Button>
      </DialogActions>
    </>
  )
}
