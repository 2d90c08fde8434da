import { ArrowLeft } from '../../icons/index.ts'
import { t } from '../../lib/i18n/t.ts'
import { type ButtonVariant, getButtonClass } from '../../ui/Button.tsx'
import { getBackHref } from './episode-navigation.ts'
import { exitPlayerByLink } from './exit-player.ts'

const ICON_CLASS =
  'pointer-events-auto grid size-11 shrink-0 place-items-center rounded-full hover:bg-white/15 focus-visible:bg-white/15'

interface Props {
  /** `icon`: the round link in the top bar, without text. */
  variant?: ButtonVariant | 'icon'
  onLeave?: () => void
}

/** Link from the player to the page that the viewer came from. */
export function BackLink({ variant = 'plain', onLeave }: Props) {
  const isIconOnly = variant === 'icon'
  const label = t('common:back')
  return (
    <a
      href={getBackHref()}
      className={isIconOnly ? ICON_CLASS : getButtonClass(variant)}
      aria-label={isIconOnly ? label : undefined}
      title={isIconOnly ? label : undefined}
      onClick={(event) => {
        onLeave?.()
        exitPlayerByLink(event)
      }}
    >
      <ArrowLeft aria-hidden size={isIconOnly ? 24 : 20} className="rtl:-scale-x-100" />
      {!isIconOnly && label}
    </a>
  )
}
