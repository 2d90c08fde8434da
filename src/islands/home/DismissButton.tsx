import { X } from '../../icons/index.ts'
import type { MediaCard } from '../../lib/contract/media.ts'
import { t } from '../../lib/i18n/t.ts'
import { dismissCard } from '../../lib/stores/dismiss-card.ts'

/** Removes a card from Continue Watching. */
export default function DismissButton({ title }: { title: MediaCard }) {
  return (
    <button
      type="button"
      aria-label={t('common:pair', { name: t('home:removeFromRow'), value: title.title })}
      title={t('home:removeFromRow')}
      onClick={() => void dismissCard(title)}
      className="absolute end-2 top-2 grid size-9 place-items-center rounded-full bg-black/70 text-white opacity-0 transition-opacity focus-visible:opacity-100 group-hover/continue:opacity-100 pointer-coarse:size-11 pointer-coarse:opacity-100"
    >
      <X aria-hidden size={18} />
    </button>
  )
}
