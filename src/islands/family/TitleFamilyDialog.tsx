import { useStore } from '@nanostores/react'
import { useEffect } from 'react'
import { Eye, EyeOff } from '../../icons/index.ts'
import type { TitleRule } from '../../lib/contract/family.ts'
import { t } from '../../lib/i18n/t.ts'
import { $rulesOfTitle, $rulesTitleId, changeTitleRule } from '../../lib/stores/family.ts'
import { $profiles } from '../../lib/stores/profile.ts'
import type { TitleRef } from '../../lib/stores/watchlist.ts'
import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { DialogActions } from '../../ui/DialogActions.tsx'
import { SavedSelect } from '../../ui/SavedSelect.tsx'
import { Name } from '../media/Name.tsx'
import { Avatar } from '../profiles/Avatar.tsx'
import { SectionPlaceholder } from '../SectionPlaceholder.tsx'

interface Props {
  title: TitleRef
  onClose: () => void
}

/** Shows which profiles may see a title. The main profile can decide that a profile always or never sees it. */
export default function TitleFamilyDialog({ title, onClose }: Props) {
  const { data: titleRulesReply } = useStore($rulesOfTitle)
  useEffect(() => {
    $rulesTitleId.set(title.id)
    return () => $rulesTitleId.set(null)
  }, [title.id])
  const profiles = useStore($profiles)?.filter((profile) => !profile.main) ?? []
  const ruleOptions = [
    { value: '' as const, label: t('titlerules:byLimits') },
    { value: 'allow' as const, label: t('titlerules:ruleAllow') },
    { value: 'deny' as const, label: t('titlerules:ruleDeny') },
  ]
  return (
    <Dialog isWide title={t('titlerules:forTitle')} closeLabel={t('common:close')} onClose={onClose}>
      {/* The selects appear only after the rules are loaded. Otherwise they would show that the title has no rules. */}
      <SectionPlaceholder $read={$rulesOfTitle} />
      <ul className="flex flex-col gap-4">
        {(titleRulesReply ? profiles : []).map((profile) => {
          const profileRule = titleRulesReply?.results.find(
            (candidate) => candidate.profile_id === profile.profile_id,
          )
          const { name } = profile
          return (
            <li key={profile.profile_id} className="flex flex-wrap items-center gap-4">
              <Avatar avatarNumber={profile.avatar} className="size-10" />
              <div className="min-w-0 grow">
                <Name text={name} className="block truncate font-semibold" />
                <span className="flex items-center gap-3 text-sm text-muted" aria-live="polite">
                  {profileRule &&
                    (profileRule.visible ? <Eye aria-hidden size={16} /> : <EyeOff aria-hidden size={16} />)}
                  {profileRule &&
                    t(profileRule.visible ? 'titlerules:visibleNow' : 'titlerules:hiddenNow', { name })}
                </span>
              </div>
              <SavedSelect<TitleRule | ''>
                label={t('titlerules:ruleFor', { name })}
                isLabelHidden
                value={profileRule?.rule ?? ''}
                loadedData={titleRulesReply}
                options={ruleOptions}
                onSave={(rule) => changeTitleRule(profile.profile_id, title, rule || null)}
              />
            </li>
          )
        })}
      </ul>
      <DialogActions>
        <Button variant="primary" onClick={onClose}>
          {t('common:done')}
        </Button>
      </DialogActions>
    </Dialog>
  )
}
