import { t } from '../../lib/i18n/t.ts'

const PLACES = Array.from({ length: 18 }, (_, place) => place)

/** Cards with captions that are on their way. */
export function WaitingGrid() {
  return (
    <div role="status" aria-label={t('common:loading')} className="card-grid">
      {PLACES.map((place) => (
        <div key={place}>
          <div className="skeleton aspect-2/3" />
          <div className="skeleton mt-2 h-5 w-2/3" />
          <div className="skeleton mt-2 h-4 w-1/3" />
        </div>
      ))}
    </div>
  )
}
