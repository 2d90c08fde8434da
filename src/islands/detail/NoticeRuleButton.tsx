import { useStore } from '@nanostores/react'
import { useState } from 'react'
import { Bell, BellOff, BellRing, Check } from '../../icons/index.ts'
import { t } from '../../lib/i18n/t.ts'
import { NOTICE_RULES } from '../../lib/rules/notice-rules.ts'
import { $noticeRules, changeNoticeRule } from '../../lib/stores/notice-rules.ts'
import type { TitleRef } from '../../lib/stores/watchlist.ts'
import { IconButton } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { menuItemClass } from '../../ui/Menu.tsx'

/**
 * Bell button of a title. For a movie, it switches notices on or off. For a series, it opens the choice of notice
 * rules. If the rules could not be loaded, the button is disabled and shows no rule.
 */
export function NoticeRuleButton({ title, name }: { title: TitleRef; name: string }) {
  const { data: noticeRulesReply, error } = useStore($noticeRules)
  const [isOpen, setIsOpen] = useState(false)
  const storedRule = noticeRulesReply?.results.find(
    ({ media }) => media.type === title.type && media.id === title.id,
  )?.rule
  const rule = storedRule ?? 'all'
  const isRuleUnknown = error !== undefined && !noticeRulesReply
  const isMovie = title.type === 'movie'
  const label = t('header:notify', { title: name })
  const Icon = isRuleUnknown ? Bell : rule === 'none' ? BellOff : BellRing
  return (
    <>
      <IconButton
        label={label}
        visibleText={t('header:notifications')}
        disabled={isRuleUnknown}
        aria-pressed={isMovie && !isRuleUnknown ? rule !== 'none' : undefined}
        aria-haspopup={isMovie ? undefined : 'dialog'}
        onClick={() =>
          isMovie ? void changeNoticeRule(title, rule === 'none' ? 'all' : 'none', rule) : setIsOpen(true)
        }
      >
        <Icon aria-hidden size={20} />
      </IconButton>
      {isOpen && (
        <Dialog title={label} closeLabel={t('common:close')} onClose={() => setIsOpen(false)}>
          <ul>
            {NOTICE_RULES.map((value) => (
              <li key={value}>
                <button
                  type="button"
                  data-first={rule === value || undefined}
                  aria-pressed={rule === value}
                  className={menuItemClass}
                  onClick={() => {
                    setIsOpen(false)
                    if (rule !== value) void changeNoticeRule(title, value, rule)
                  }}
                >
                  {t(`header:rule_${value}`)}
                  {rule === value && <Check aria-hidden size={18} className="ms-auto" />}
                </button>
              </li>
            ))}
          </ul>
        </Dialog>
      )}
    </>
  )
}
