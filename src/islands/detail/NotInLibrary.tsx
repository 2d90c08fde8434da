import { useStore } from '@nanostores/react'
import { useEffect } from 'react'
import { BellPlus, BellRing } from '../../icons/index.ts'
import type { MediaDetails } from '../../lib/contract/media.ts'
import { t } from '../../lib/i18n/t.ts'
import {
  $availabilityRequest,
  $awaitedTitle,
  setAvailabilityRequested,
} from '../../lib/stores/availability.ts'
import { Button } from '../../ui/Button.tsx'
import { useSavedChoice } from '../../ui/use-saved-choice.ts'

/**
 * Replaces the Play button of a title that cannot be played here. Contains a toggle button. While the toggle is on,
 * the profile waits for a notice that the title has become available.
 */
export default function NotInLibrary({ title }: { title: MediaDetails }) {
  const { type, id } = title
  const { data: availabilityRequest } = useStore($availabilityRequest)
  useEffect(() => $awaitedTitle.set({ type, id }), [type, id])
  const [isRequested, chooseRequested] = useSavedChoice(
    availabilityRequest?.requested === true,
    (isChosen) => setAvailabilityRequested({ type, id }, isChosen),
    availabilityRequest,
  )
  return (
    <div className="flex flex-wrap items-center gap-3">
      <p className="inline-flex min-h-12 items-center rounded-md border border-line px-5 font-semibold text-muted">
        {t('detail:notInLibrary')}
      </p>
      <Button
        aria-pressed={isRequested}
        aria-disabled={!availabilityRequest}
        icon={isRequested ? <BellRing aria-hidden size={20} /> : <BellPlus aria-hidden size={20} />}
        onClick={() => void chooseRequested(!isRequested)}
      >
        {t(isRequested ? 'detail:willNotify' : 'detail:notifyMe')}
      </Button>
    </div>
  )
}
