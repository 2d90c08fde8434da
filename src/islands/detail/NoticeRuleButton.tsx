import { useStore } from '@nanostores/react'
import { BellOff, BellRing, Check } from 'lucide-react'
import type { NoticeRule } from '../../lib/contract/notices.ts'
import { t } from '../../lib/i18n/t.ts'
import { $noticeRules, changeNoticeRule } from '../../lib/stores/notice-rules.ts'
import type { TitleRef } from '../../lib/stores/watchlist.ts'
import { IconButton } from '../../ui/Button.tsx'
import { Menu, menuItemClass } from '../../ui/Menu.tsx'

const SERIES_RULES: readonly NoticeRule[] = ['all', 'seasons', 'none']

/** Bell of a title: switches the notices of a movie on or off, and opens the choices of a series. */
export function NoticeRuleButton({ title, name }: { title: TitleRef; name: string }) {
  const { data } = useStore($noticeRules)
  const storedRule = data?.results.find(
    ({ media }) => media.type === title.type && media.id === title.id,
  )?.rule
  const rule = storedRule ?? 'all'
  const icon = rule === 'none' ? <BellOff aria-hidden size={20} /> : <BellRing aria-hidden size={20} />
  const label = t('header:notify', { title: name })
  if (title.type === 'movie')
    return (
      <IconButton
        label={label}
        aria-pressed={rule !== 'none'}
        onClick={() => void changeNoticeRule(title, rule === 'none' ? 'all' : 'none', rule)}
      >
        {icon}
      </IconButton>
    )
  return (
    <Menu
      label={label}
      button={
        <span className="inline-grid size-11 place-items-center rounded-full border border-line bg-overlay/80">
          {icon}
        </span>
      }
    >
      {(close) =>
        SERIES_RULES.map((value) => (
          <button
            key={value}
            type="button"
            aria-pressed={rule === value}
            className={menuItemClass}
            onClick={() => {
              close()
              if (rule !== value) void changeNoticeRule(title, value, rule)
            }}
          >
            {t(`header:rule_${value}`)}
            {rule === value && <Check aria-hidden size={18} className="ms-auto shrink-0" />}
          </button>
        ))
      }
    </Menu>
  )
}
