import { useStore } from '@nanostores/react'
import { X } from '../../icons/index.ts'
import type { Recommendation } from '../../lib/contract/recommendations.ts'
import { t, translateDynamicKey } from '../../lib/i18n/t.ts'
import { $hasRestrictedViewer } from '../../lib/stores/parent.ts'
import { disableSignal } from '../../lib/stores/recommendation-settings.ts'

/** The reason for a recommendation. Adults get a button to ignore the signal in the future. */
export default function RecommendationReason({ reasons }: Pick<Recommendation, 'reasons'>) {
  const hasRestrictedViewer = useStore($hasRestrictedViewer)
  const [reason] = reasons
  const reasonText = reason && formatReason(reason)
  if (!reasonText) return null
  const { signal } = reason
  return (
    <span className="flex items-start justify-between gap-1 text-sm text-muted">
      <span className="clamp-3">{reasonText}</span>
      {/* On a television the button is omitted, because with arrow keys, the focus would stop at the button between
          any two rows. The tab "Taste" of the account page has the same switch. */}
      {signal && !hasRestrictedViewer && !('tv' in document.documentElement.dataset) && (
        <button
          type="button"
          aria-label={`${t('reasons:notThis')} (${reasonText})`}
          title={t('reasons:notThis')}
          onClick={() => void disableSignal(signal)}
          className="relative -mt-1.5 grid size-8 after:absolute after:-inset-2 shrink-0 place-items-center rounded-full hover:bg-raised hover:text-ink"
        >
          <X aria-hidden size={16} />
        </button>
      )}
    </span>
  )
}

export function formatReason(reason: Recommendation['reasons'][number]): string {
  const title = reason.title ?? ''
  if (reason.kind === 'liked') return t('reasons:liked', { title })
  if (reason.kind === 'watched') return t('reasons:watched', { title })
  if (reason.kind === 'in_list') return t('reasons:inList', { title })
  if (reason.kind === 'genre')
    return t('reasons:genre', { genre: translateDynamicKey(`genres:${reason.genre}`, '') })
  return t('reasons:popular')
}
