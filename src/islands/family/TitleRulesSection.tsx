import { useStore } from '@nanostores/react'
import { useId } from 'react'
import { X } from '../../icons/index.ts'
import type { ReplyOf } from '../../lib/contract/endpoint.ts'
import type { listTitleRules, TitleRule } from '../../lib/contract/family.ts'
import type { Profile } from '../../lib/contract/profiles.ts'
import { formatLocalDate } from '../../lib/i18n/format-instant.ts'
import { t } from '../../lib/i18n/t.ts'
import { changeTitleRule, getTitleRulesStore } from '../../lib/stores/family.ts'
import { showToast } from '../../lib/stores/toast.ts'
import { IconButton } from '../../ui/Button.tsx'
import { TitleName } from '../media/Name.tsx'
import { getTitleHref } from '../media/title-urls.ts'
import { SectionPlaceholder } from '../SectionPlaceholder.tsx'

/** The titles that a profile always or never sees, regardless of its limits. */
export function TitleRulesSection({ profile }: { profile: Profile }) {
  const headingId = useId()
  const titleRulesStore = getTitleRulesStore(profile.profile_id)
  const { data: titleRulesReply } = useStore(titleRulesStore)
  const listRuleEntries = (rule: TitleRule) =>
    (titleRulesReply?.results ?? []).filter((ruleEntry) => ruleEntry.rule === rule)
  return (
    <section aria-labelledby={headingId} className="flex flex-col gap-4">
      <h3 id={headingId} className="font-bold">
        {t('family:titleRules')}
      </h3>
      <p className="text-sm text-muted">{t('family:titleRulesHint')}</p>
      <SectionPlaceholder $read={titleRulesStore} />
      <RuleList
        profile={profile}
        label={t('family:alwaysShown')}
        rule="allow"
        ruleEntries={listRuleEntries('allow')}
      />
      <RuleList
        profile={profile}
        label={t('family:neverShown')}
        rule="deny"
        ruleEntries={listRuleEntries('deny')}
      />
    </section>
  )
}

type TitleRuleEntry = ReplyOf<typeof listTitleRules>['results'][number]

interface RuleListProps {
  profile: Profile
  label: string
  rule: TitleRule
  ruleEntries: TitleRuleEntry[]
}

function RuleList({ profile, label, rule, ruleEntries }: RuleListProps) {
  if (ruleEntries.length === 0) return null
  const removeRule = async ({ media, expires_at: expiresAt }: TitleRuleEntry) => {
    if (await changeTitleRule(profile.profile_id, media, null))
      showToast('family:ruleRemoved', {
        undo: () => void changeTitleRule(profile.profile_id, media, rule, expiresAt),
      })
  }
  return (
    <div>
      <h4 className="text-sm font-medium text-muted">{label}</h4>
      <ul className="divide-y divide-line">
        {ruleEntries.map((ruleEntry) => {
          const { media, expires_at: expiresAt } = ruleEntry
          return (
            <li key={media.id} className="flex items-center gap-4 py-2">
              <div className="min-w-0 grow">
                <a href={getTitleHref(media)} className="block truncate hover:text-accent">
                  <TitleName title={media} />
                </a>
                {expiresAt && (
                  <p className="text-sm text-muted">
                    {t('requests:until', { date: formatLocalDate(expiresAt) })}
                  </p>
                )}
              </div>
              <IconButton
                label={t('family:removeRule', { title: media.title })}
                onClick={() => void removeRule(ruleEntry)}
              >
                <X aria-hidden size={20} />
              </IconButton>
            </li>
          )
        })}
      </ul>
    </div>
  )
}
